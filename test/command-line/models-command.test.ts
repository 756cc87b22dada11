import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { dispatched } from "../dispatch-kit.ts"
import { naming } from "../naming.ts"

let base = ""
beforeEach(() => {
  base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "cadre-models-")))
  fs.mkdirSync(path.join(base, "work", ".git"), { recursive: true })
})
afterEach(() => fs.rmSync(base, { recursive: true, force: true }))

/** A command on a day, in this process. */
const cadre = (day: string, ...words: readonly string[]) =>
  dispatched(words, {
    directory: path.join(base, "work"),
    environment: { HOME: base, CADRE_CONFIG_DIR: path.join(base, "config"), CADRE_STATE_DIR: base },
    now: () => Date.parse(day),
  })

describe("tables that have grown old", () => {
  const doctorRow = async (day: string) => {
    const { stdout } = await cadre(day, "doctor", "--json")
    const { findings } = JSON.parse(stdout) as { findings: readonly { readonly what: string }[] }
    return findings.find(({ what }) => what === "tables of models")
  }

  test("are told by `models` and `doctor`, with what to do", async () => {
    const found = await doctorRow("2027-06-01")
    expect(found).toEqual({
      part: "Providers",
      what: "tables of models",
      state: "old",
      level: "note",
      reason: expect.stringContaining("models of anthropic (2026-11-16, 197 days ago)"),
      remedy: "Update cadre: npm install cadre@latest.",
    })
    const { reason, remedy } = found as unknown as Record<"reason" | "remedy", string>
    expect((await cadre("2027-06-01", "models", "--offline")).stdout).toContain(`${reason} ${remedy}`)
  })

  test("are not there soon after a release", async () => {
    expect(await doctorRow("2026-11-20")).toEqual({
      part: "Providers",
      what: "tables of models",
      state: "up to date",
      level: "fine",
    })
    expect((await cadre("2026-11-20", "models", "--offline")).stdout).not.toContain("Update cadre")
  })
})

describe("models that are retired", () => {
  const put = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
    fs.writeFileSync(path.join(base, file), text)
  }
  const read = (file: string) => fs.readFileSync(path.join(base, file), "utf8")
  const found = async (day: string) => {
    const { stdout } = await cadre(day, "check", "--json")
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Finding[] }
    return diagnostics.filter(({ code }) => code === "model-retired")
  }
  interface Finding {
    readonly code: string
    readonly severity: string
    readonly message: string
    readonly file: string
    readonly range: { readonly start: { readonly line: number; readonly column: number } }
    readonly fix?: { readonly title: string }
  }
  const linesOf = (findings: readonly Finding[]) =>
    findings.map(
      ({ severity, file, range: { start }, fix }) =>
        `${severity} ${path.relative(base, path.resolve(base, "work", file))}:${start.line}:${start.column} ${fix?.title ?? "no fix"}`,
    )

  const claude = (model: string) =>
    `---\nname: reviewer\ndescription: Reviews changes.\nmodel: ${model}\n---\n\nReview.\n`

  test.each([
    ["work/.claude/agents/reviewer.md", claude("claude-opus-4-20250514"), "4:8", "claude-opus-4-8"],
    [
      "work/.claude/agents/reviewer.md",
      claude("'anthropic/claude-opus-4-20250514'"),
      "4:8",
      "anthropic/claude-opus-4-8",
    ],
    ["work/.claude/agents/reviewer.md", claude("anthropic:o1-mini"), undefined, undefined],
    ["work/.cadre/agents/reviewer.md", claude("[haiku, openai:o1-mini]"), "4:16", "openai:gpt-5.6-terra"],
    ["work/.cadre/agents/reviewer.md", claude("{provider: openai, model: o1-mini}"), "4:34", "gpt-5.6-terra"],
    [
      "work/.codex/agents/reviewer.md",
      claude("o1-mini").replace("model: o1-mini", "model_config:\n  provider: openai\n  model: o1-mini"),
      "6:10",
      "gpt-5.6-terra",
    ],
    [
      "work/.gobby/agents/reviewer.yaml",
      "name: reviewer\ndescription: Reviews.\nmodel: o1-mini\nprompt: Review.\n",
      "3:8",
      "gpt-5.6-terra",
    ],
  ])("%s with %j", async (file, text, at, right) => {
    put(file, text)
    const findings = await found("2026-11-16")
    expect(linesOf(findings)).toEqual(at === undefined ? [] : [`warning ${file}:${at} Write \`${right}\``])
    if (at === undefined) return
    await cadre("2026-11-16", "check", "--fix")
    const written = text.match(/(?:anthropic\/|openai:)?(?:claude-opus-4-20250514|o1-mini)/)![0]
    expect(read(file)).toBe(text.replace(written, right!))
    expect(await found("2026-11-16")).toEqual([])
  })

  test("those of the configuration are told there, with their day", async () => {
    put(
      "config/config.yaml",
      "model: old\npresets:\n  old: anthropic:claude-opus-4-20250514\n  soon: { model: o1-mini }\n",
    )
    put("work/.claude/agents/reviewer.md", claude("old"))
    expect(await found("2025-09-15")).toEqual([
      {
        code: "model-retired",
        severity: "info",
        message: expect.stringMatching(
          /^openai\/o1-mini.*2025-10-27.*Its provider recommends o4-mini instead\. Source: developers\.openai\.com\/api\/docs\/deprecations, as followed in github\.com\/promptfoo\/promptfoo\/pull\/5005 and github\.com\/danny-avila\/LibreChat\/pull\/10085 \(read 2026-11-16\).?$/,
        ),
        file: expect.stringContaining("config.yaml"),
        range: expect.anything(),
      },
    ])
    expect(linesOf(await found("2026-11-16"))).toEqual([
      "warning config/config.yaml:3:8 Write `anthropic:claude-opus-4-8`",
      "warning config/config.yaml:4:18 Write `gpt-5.6-terra`",
    ])
    await cadre("2026-11-16", "check", path.join(base, "config", "config.yaml"), "--fix")
    expect(read("config/config.yaml")).toBe(
      "model: old\npresets:\n  old: anthropic:claude-opus-4-8\n  soon: { model: gpt-5.6-terra }\n",
    )
  })

  test("a Codex file that names one model twice is fixed in one go", async () => {
    const text = (model: string) =>
      `---\nname: reviewer\nmodel: ${model}\nmodel_config:\n  provider: openai\n  model: "${model}"\n---\n\nReview.\n`
    put("work/.codex/agents/reviewer.md", text("o1-mini"))
    expect(linesOf(await found("2026-11-16"))).toEqual([
      "warning work/.codex/agents/reviewer.md:3:8 Write `gpt-5.6-terra`",
    ])
    await cadre("2026-11-16", "check", "--fix")
    expect(read("work/.codex/agents/reviewer.md")).toBe(text("gpt-5.6-terra"))
    expect(await found("2026-11-16")).toEqual([])
  })

  test("a user's default and presets are told although a project has others", async () => {
    const user = "model: o1-mini\npresets:\n  fast: anthropic:claude-opus-4-20250514\n"
    put("config/config.yaml", user)
    put("work/.cadre/config.yaml", "model: anthropic:sonnet\npresets:\n  fast: anthropic:haiku\n")
    expect(linesOf(await found("2026-11-16"))).toEqual([
      "warning config/config.yaml:1:8 Write `gpt-5.6-terra`",
      "warning config/config.yaml:3:9 Write `anthropic:claude-opus-4-8`",
    ])
  })

  test("the rule can be turned off", async () => {
    put("config/config.yaml", "rules: { model-retired: off }\n")
    put("work/.claude/agents/reviewer.md", claude("claude-opus-4-20250514"))
    expect(await found("2026-11-16")).toEqual([])
  })
})

describe("models that the configuration does not allow", () => {
  const put = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(base, file)), { recursive: true })
    fs.writeFileSync(path.join(base, file), text)
  }
  const day = "2026-11-16"
  const agent = (name: string, model: string) =>
    `---\nname: ${name}\ndescription: Does ${name}.\nmodel: ${model}\n---\n\nDo it.\n`
  const denied = (id: string) => [
    `${id}`,
    `\`allowed_models\` (${path.join(base, "config", "config.yaml")}:1) allows only anthropic/*`,
    "Choose",
    "allowed",
  ]
  beforeEach(() => put("config/config.yaml", "allowed_models: [anthropic/*]\nmodel: openai:gpt-6-sol\n"))

  test("are errors of `check`, at the model of the definition", async () => {
    put("work/.claude/agents/near.md", agent("near", "sonnet"))
    put("work/.claude/agents/far.md", agent("far", "openai:gpt-6-sol"))
    const { code, stdout } = await cadre(day, "check", "--json")
    expect([code, JSON.parse(stdout).diagnostics]).toEqual([
      1,
      [
        // Agents that name no model would run on the default.
        expect.objectContaining({
          code: "model-denied",
          message: naming("The default model: ", ...denied("openai/gpt-6-sol")),
          range: { start: { line: 2, column: 8 }, end: { line: 2, column: 24 } },
        }),
        expect.objectContaining({
          code: "model-denied",
          severity: "error",
          message: naming('Agent "far": ', ...denied("openai/gpt-6-sol")),
          range: { start: { line: 4, column: 8 }, end: { line: 4, column: 24 } },
        }),
      ],
    ])
  })

  test("are told by `models` and `doctor`", async () => {
    const { stdout } = await cadre(day, "models", "--offline", "--json")
    expect(JSON.parse(stdout).default).toEqual({
      name: "openai:gpt-6-sol",
      kind: "default",
      problem: naming(...denied("openai/gpt-6-sol")),
    })
    const { findings } = JSON.parse((await cadre(day, "doctor", "--json")).stdout)
    expect(findings.find(({ what }: { what: string }) => what === "default model")).toMatchObject({
      state: "cannot be used",
      level: "broken",
      reason: naming("The default model: ", ...denied("openai/gpt-6-sol")),
    })
  })

  test.each([
    ["by --model", ["--model", "openai:gpt-6-sol"], {}],
    ["by CADRE_MODEL", [], { CADRE_MODEL: "openai/gpt-6-sol" }],
    ["by the configuration", [], {}],
  ])("refuse a run %s", async (_, words, environment) => {
    put("config/agents/worker.md", "---\nname: worker\ndescription: Works.\n---\n\nWork.\n")
    const { code, stdout, stderr } = await dispatched(["run", "worker", "Go.", ...words], {
      directory: path.join(base, "work"),
      environment: {
        HOME: base,
        CADRE_CONFIG_DIR: path.join(base, "config"),
        CADRE_STATE_DIR: path.join(base, "state"),
        OPENAI_API_KEY: "openai-secret-1",
        ...environment,
      },
    })
    expect({ failed: code !== 0, told: `${stdout}${stderr}` }).toEqual({
      failed: true,
      told: naming(...denied("openai/gpt-6-sol")),
    })
  })
})
