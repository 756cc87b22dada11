import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { Configuration } from "./configuration.ts"

/** Tools that a person's own programs have, each with the reason why nothing else has it: agents that name one run without it. */
export const ownToolsAbsent = ({ tools }: Pick<Configuration, "tools">): Readonly<Record<string, string>> =>
  Object.fromEntries(
    tools
      .filter((name) => lookUpTool(name).type === "unknown")
      .map((name) => [name, "`tools` of the configuration names it, and only a program can register it"]),
  )
