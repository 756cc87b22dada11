import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { material } from "../../../test/material.ts"
import { formats } from "../formats/index.ts"
import { readAgent } from "../formats/read-agent.ts"
import { checkAgents } from "./check.ts"
import type { CheckedAgent } from "./rule.ts"

/** Real definition files from public repositories, beside the checkout; they are not part of the project. */
const corpus = material("corpus")

/** The format that each folder is read as. Copilot and opencode have no format yet; their files are close enough to Claude Code's. */
const folders = {
  acai: "acai",
  claude: "claude",
  "codex-md": "codex-md",
  copilot: "claude",
  gobby: "gobby",
  opencode: "claude",
}

describe.skipIf(!existsSync(corpus))("rules over real files", () => {
  // The body of a skipped suite is still read.
  const found = existsSync(corpus) ? findings() : []

  test.each(["description-overlap", "prompt-tool-missing"])(
    "every finding of %s was judged, and at least nine of ten were right",
    (code) => {
      const verdicts = verdictsOf(code)
      const judged = verdicts.map(({ file, message }) => `${file}: ${message}`)
      expect(
        found.filter((finding) => finding.code === code).map(({ file, message }) => `${file}: ${message}`),
        `Judge what is new, and remove what is gone, in src/definitions/rules/verdicts/${code}.json.`,
      ).toEqual(judged)
      const right = verdicts.filter(({ verdict }) => verdict === "right").length
      expect(right / verdicts.length).toBeGreaterThanOrEqual(0.9)
    },
  )

  test("no secret is found, because there is none", () => {
    expect(found.filter(({ code }) => code === "secret-in-definition")).toEqual([])
  })
})

interface Verdict {
  readonly file: string
  readonly message: string
  readonly verdict: "right" | "wrong"
  readonly reason: string
}

function verdictsOf(code: string): readonly Verdict[] {
  const text = readFileSync(path.join(import.meta.dirname, "verdicts", `${code}.json`), "utf8")
  return (JSON.parse(text) as { verdicts: readonly Verdict[] }).verdicts
}

/** All files as if they lay in one project, in which the first of two with one name is used. */
function findings(): readonly { readonly file: string; readonly code: string; readonly message: string }[] {
  const read = Object.entries(folders).flatMap(([folder, id]) => {
    const format = formats.find((one) => one.id === id)!
    const names = readdirSync(path.join(corpus, folder), { recursive: true, encoding: "utf8" })
    return names
      .filter((name) => /\.(?:md|yaml)$/.test(name))
      .sort()
      .flatMap((name): (CheckedAgent & { readonly file: string })[] => {
        const file = `${folder}/${name.replaceAll(path.sep, "/")}`
        const text = readFileSync(path.join(corpus, file), "utf8")
        const { agent, locate } = readAgent(format, { path: file, text })
        return agent ? [{ agent, format, source: { text, locate }, file }] : []
      })
  })
  const agents = new Map<string, CheckedAgent["agent"]>()
  for (const { agent } of read) if (!agents.has(agent.name)) agents.set(agent.name, agent)
  const around = { tools: new Set<string>(), agents }
  return checkAgents(read, around).flatMap((problems, index) =>
    problems.map(({ code, message }) => ({ file: read[index]!.file, code, message })),
  )
}
