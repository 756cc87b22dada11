import { expect, test } from "vitest"
import { documentedExecutor } from "../../scripts/executor-proof/documented.ts"
import { findExecutorProblem } from "../../src/agent/executor.ts"
import { buildExecutorArguments } from "../../src/world/executors/program-arguments.ts"

const settings = documentedExecutor()
const common = ["-p", "--output-format", "json", "--setting-sources", "user"]

test.each<[string, object, readonly string[]]>([
  [
    "a list",
    { tools: ["Read", "Grep"] },
    ["--strict-mcp-config", "--tools", "Read,Grep", "--allowedTools", "Read,Grep"],
  ],
  ["an empty list", { tools: [] }, ["--strict-mcp-config", "--tools", ""]],
  ["denials", { disallowedTools: ["Bash", "Edit"] }, ["--disallowedTools", "Bash,Edit"]],
  ["nothing", {}, []],
])("the executor on the page is told %s in words that limit it", (_, handed, words) => {
  expect(findExecutorProblem(settings)).toBeUndefined()
  const input = {
    executor: "claude",
    command: settings.command,
    wants: "text",
    prompt: "Go.",
    ...handed,
  } as const
  expect(buildExecutorArguments(settings, input, undefined)).toEqual({ words: [...common, ...words] })
})

test("and it has no words for what the program does not keep to", () => {
  expect(Object.keys(settings.options)).toEqual(["model", "tools", "noTools", "disallowedTools", "schema"])
})
