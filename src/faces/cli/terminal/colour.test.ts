import { expect, test } from "vitest"
import { chooseColour } from "./colour.ts"

type Row = [
  wish: "never" | "automatic",
  environment: Record<string, string>,
  isTerminal: boolean,
  colour: string,
]

test.each<Row>([
  ["automatic", {}, true, "on"],
  ["automatic", {}, false, "off"],
  ["automatic", { TERM: "dumb" }, true, "off"],
  ["automatic", { NO_COLOR: "1" }, true, "off"],
  ["automatic", { NO_COLOR: "" }, true, "on"],
  ["automatic", { FORCE_COLOR: "1" }, false, "on"],
  ["automatic", { FORCE_COLOR: "1", TERM: "dumb" }, false, "on"],
  ["automatic", { FORCE_COLOR: "" }, false, "off"],
  ["automatic", { FORCE_COLOR: "0" }, true, "off"],
  ["automatic", { FORCE_COLOR: "false" }, true, "off"],
  ["automatic", { FORCE_COLOR: "1", NO_COLOR: "1" }, true, "off"],
  ["never", { FORCE_COLOR: "1" }, true, "off"],
])("%s with %j, terminal: %s: %s", (wish, environment, isTerminal, colour) => {
  expect(chooseColour(wish, { environment, isTerminal })).toBe(colour)
})
