import { lookUpTool } from "../../agent/catalogue/look-up.ts"
import type { Configuration } from "./configuration.ts"

/** The user's own tools, each with the reason why it is absent here. Agents that name one run without it. */
export const listAbsentTools = ({ tools }: Pick<Configuration, "tools">): Readonly<Record<string, string>> =>
  Object.fromEntries(
    tools
      .filter((name) => lookUpTool(name).type === "unknown")
      .map((name) => [name, "`tools` of the configuration names it, but only a program can register it"]),
  )
