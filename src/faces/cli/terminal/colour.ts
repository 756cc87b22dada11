import type { Colour } from "../../../ground/diagnostics/paint.ts"
import type { ProcessContext } from "../command.ts"

/** Decides by the flag, then NO_COLOR, then FORCE_COLOR, then whether stdout is a terminal. */
export function chooseColour(
  wish: "never" | "automatic",
  { environment, isTerminal }: Pick<ProcessContext, "environment" | "isTerminal">,
): Colour {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  if (wish === "never" || NO_COLOR) return "off"
  if (FORCE_COLOR) return FORCE_COLOR === "0" || FORCE_COLOR === "false" ? "off" : "on"
  return isTerminal && TERM !== "dumb" ? "on" : "off"
}
