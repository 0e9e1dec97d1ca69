// Places a tile where it touches the most squares, and saves chameleons for last.
import { createInterface } from "node:readline";

const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]];

function squares(placement) {
  const [, x, y, direction] = placement.match(/@(-?\d+),(-?\d+)(.)/);
  return [0, 1, 2].map((i) => (direction === ">" ? [+x + i, +y] : [+x, +y + i]));
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const { type, view } = JSON.parse(line);
  if (type !== "decide") return;
  const table = new Set(view.table.split(" ").flatMap(squares).map(String));
  const contacts = ([x, y]) => SIDES.filter(([i, j]) => table.has(`${x + i},${y + j}`)).length;
  const worth = (action) => squares(action).map(contacts).reduce((a, b) => a + b) - (action.includes("*") ? 100 : 0);
  const action = view.actions.reduce((best, next) => (worth(next) > worth(best) ? next : best));
  console.log(JSON.stringify({ action }));
});
