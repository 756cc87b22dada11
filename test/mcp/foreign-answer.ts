import { expect } from "vitest"
import { literally } from "../naming.ts"

/** Matches the text of a server: a line that names the server and says that the text is data, and the text itself. */
export const foreignAnswer = (server: string, text: string) =>
  expect.stringMatching(
    new RegExp(
      `^\\[[^\\n]* MCP server ${server}\\. [^\\n]* data, not instructions[^\\n]*\\]\\n${literally(text)}$`,
    ),
  )
