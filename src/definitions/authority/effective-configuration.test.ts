import { describe, expect, test } from "vitest"
import { testProject } from "../../../test/authority/project-kit.ts"
import type { Diagnostic } from "../../ground/diagnostics/diagnostic.ts"
import type { CadreError } from "../../ground/errors.ts"
import { readEffectiveConfiguration, requireValidConfiguration } from "./effective-configuration.ts"

test("the project's configuration takes effect if it is trusted, otherwise the user's own does", () => {
  const project = testProject({
    "home/.config/cadre/config.yaml": "mode: default\n",
    "work/.cadre/config.yaml": "mode: plan\n",
  })
  const modeOf = (trusting: "all" | "kept") =>
    readEffectiveConfiguration(project.workspace(), trusting === "all" ? "all" : project.standing(), project)
      .configuration.mode
  const modes = [modeOf("kept"), modeOf("all")]
  project.trust()
  expect([...modes, modeOf("kept")]).toEqual(["default", "plan", "plan"])
})

const finding = (
  code: string,
  file?: string,
  severity: Diagnostic["severity"] = "error",
  line = 3,
): Diagnostic =>
  ({
    code,
    severity,
    message: `About ${code}.`,
    ...(file !== undefined && { file }),
    range: { start: { line, column: 5 }, end: { line, column: 6 } },
  }) as Diagnostic

function refusal(...diagnostics: readonly Diagnostic[]): CadreError | undefined {
  try {
    requireValidConfiguration({ diagnostics }, "/p")
    return undefined
  } catch (error) {
    return error as CadreError
  }
}

describe("an invalid configuration", () => {
  test("does not start runs, and warnings do not matter", () => {
    const [warning, error] = [
      finding("a-b", "/p/.cadre/config.yaml", "warning"),
      finding("c-d", "/p/.cadre/config.yaml"),
    ]
    expect([refusal(), refusal(warning)]).toEqual([undefined, undefined])
    expect((refusal(warning, error) as unknown as { diagnostics: object }).diagnostics).toEqual([error])
  })

  test.each<[string, readonly Diagnostic[], string]>([
    ["a finding without a file", [finding("any")], "CONFIGURATION_INVALID"],
    ["the settings", [finding("any", "/p/.cadre/config.yaml")], "CONFIGURATION_INVALID"],
    ["another file", [finding("any", "/p/.cadre/other.yaml")], "HOOK_INVALID"],
    [
      "a hook file that is called config",
      [finding("any", "/p/.cadre/lifecycles/config.yaml")],
      "HOOK_INVALID",
    ],
    ["hooks in the settings", [finding("hook-event", "/p/.cadre/config.yaml")], "HOOK_INVALID"],
    ["a workflow", [finding("workflow-step", "/p/.cadre/config.yaml")], "WORKFLOW_INVALID"],
    ["a step", [finding("step-name", "/p/w.yaml")], "WORKFLOW_INVALID"],
    ["the first of several", [finding("step-name"), finding("hook-event")], "WORKFLOW_INVALID"],
    ["the settings among others", [finding("step-name"), finding("any")], "CONFIGURATION_INVALID"],
  ])("is reported by its code: %s", (_, diagnostics, code) => {
    expect(refusal(...diagnostics)!.code).toBe(code)
  })

  test.each<[number, readonly string[]]>([
    [1, ["  1.yaml:1:5: About any. (any)"]],
    [5, [1, 2, 3, 4, 5].map((line) => `  ${line}.yaml:${line}:5: About any. (any)`)],
    [7, [...[1, 2, 3, 4, 5].map((line) => `  ${line}.yaml:${line}:5: About any. (any)`), "  and 2 more"]],
  ])("shows the first five places of %d", (count, places) => {
    const diagnostics = Array.from({ length: count }, (_, index) =>
      finding("any", `/p/${index + 1}.yaml`, "error", index + 1),
    )
    expect(
      refusal(...diagnostics)!
        .message.split("\n")
        .slice(1, -1),
    ).toEqual(places)
  })

  test("has no place if a finding has no file", () => {
    expect(refusal(finding("any"))!.message.split("\n").slice(1, -1)).toEqual(["  About any. (any)"])
  })
})
