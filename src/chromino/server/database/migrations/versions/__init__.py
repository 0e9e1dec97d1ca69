"""One file per migration; they never change once released."""
