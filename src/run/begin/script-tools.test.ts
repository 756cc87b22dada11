import { describe, expect, test } from "vitest"
import { naming } from "../../../test/naming.ts"
import { type AgentInput, defineAgent } from "../../agent/agent.ts"
import { findScriptProblems } from "./script-tools.ts"

const script = (name: string) => ({ name, description: "d", script: `/${name}.pym`, parameters: {} })
const agent = (names: readonly string[], more: Partial<AgentInput> = {}) =>
  defineAgent({ name: "a", instructions: "Work.", tools: names, toolDefinitions: names.map(script), ...more })
const problems = (made: ReturnType<typeof agent>, ...registered: readonly string[]) =>
  findScriptProblems(made, new Map(registered.map((name) => [name, {} as never])))

describe("an agent whose tools are scripts", () => {
  const problem = (what: string, it: string, place: object) => [
    {
      code: "TOOL_UNKNOWN",
      kind: "written",
      rule: "tool-script",
      ...place,
      message: naming('"a"', `${what}`, "scripts", `${it}`, "createRuntime({"),
    },
  ]
  const at = (index: number) => ({ part: "tools.allow", path: [index] })
  test.each<[string, ReturnType<typeof agent>, readonly string[], readonly object[]]>([
    ["does not start", agent(["x"]), [], problem("its tool x is a script", "it", at(0))],
    [
      "does not start with two of them",
      agent(["x", "y"]),
      [],
      problem("its tools x and y are scripts", "them", at(0)),
    ],
    ["starts in a program that has them", agent(["x", "y"]), ["x", "y"], []],
    [
      "does not start where that has only one",
      agent(["x", "y"]),
      ["x"],
      problem("its tool y is a script", "it", at(1)),
    ],
    [
      "does not start for a tool that ships",
      agent(["Bash"]),
      ["Bash"],
      problem("its tool Bash is a script", "it", at(0)),
    ],
    ["starts where it only hands in a result", agent(["submit_result"]), [], []],
    [
      "starts where it denies itself those",
      { ...agent(["x"]), tools: { mode: "listed", allow: ["x"], deny: ["x"] } as never },
      [],
      [],
    ],
    ["starts where it does not list them", agent(["x"], { tools: ["y"] }), [], []],
    [
      "does not start where it has all",
      agent(["x"], { tools: ["*"] }),
      [],
      problem("its tool x is a script", "it", { part: "toolDefinitions", path: [0] }),
    ],
    [
      "names the first that is stuck",
      agent(["x", "y"], { tools: ["*"] }),
      ["x"],
      problem("its tool y is a script", "it", { part: "toolDefinitions", path: [1] }),
    ],
  ])("%s", (_, made, registered, expected) => expect(problems(made, ...registered)).toEqual(expected))

  test("has no more than twenty of them named", () => {
    const names = Array.from({ length: 22 }, (_, index) => `x${index}`)
    expect(problems(agent(names))[0]!.message).toContain(
      `${names.slice(0, 20).join(", ")} and 2 more are scripts`,
    )
    expect(problems(agent(names.slice(0, 20)))[0]!.message).toContain("x18 and x19 are scripts")
  })
})
