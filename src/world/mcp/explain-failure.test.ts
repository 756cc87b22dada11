import { expect, test } from "vitest"
import type { McpServerSettings } from "../../agent/mcp-server.ts"
import { explainFailure } from "./explain-failure.ts"
import { ServerFailure } from "./failure.ts"

const ended = new ServerFailure("ended", "it ended")

test.each<[string, unknown, McpServerSettings, readonly string[]]>([
  ["a program", ended, { command: "x" }, ["network: full", "workspace: read", "visible: [FOLDER]"]],
  [
    "a program with network",
    ended,
    { command: "x", network: "full" },
    ["workspace: read", "visible: [FOLDER]"],
  ],
  ["a program with all", ended, { command: "x", network: "full", workspace: "write" }, ["visible: [FOLDER]"]],
  ["a program outside of the sandbox", ended, { command: "x", sandbox: "off" }, []],
  ["an address", ended, { url: "https://x" }, []],
  ["an entry that was refused", new ServerFailure("refused", "it ended"), { command: "x" }, []],
])("the failure of %s names the lines that may be missing", (_, error, settings, lines) => {
  const text = explainFailure(error, settings)
  expect(text.startsWith("it ended")).toBe(true)
  expect([...text.matchAll(/`([^`]+)`/g)].map(([, line]) => line)).toEqual(lines)
})
