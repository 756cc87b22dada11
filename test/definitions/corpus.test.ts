import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { splitFrontmatter } from "../../src/definitions/formats/document/frontmatter.ts"
import { locateYaml, readYaml } from "../../src/definitions/formats/document/yaml.ts"
import { formats } from "../../src/definitions/formats/index.ts"
import { type DefinitionFile, diagnoseFile, readDefinitionText } from "../../src/definitions/registry/file.ts"
import { applyFixes } from "../../src/ground/diagnostics/apply-fixes.ts"
import { material } from "../material.ts"

/** Real definition files from public repositories, beside the checkout; they are not part of the project. */
const corpus = material("corpus")
interface RealFile {
  /** The top folder: the format. */
  readonly top: string
  /** Where it lay in its repository. */
  readonly file: string
  readonly text: string
}

const files: readonly RealFile[] = existsSync(corpus)
  ? readdirSync(corpus, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(md|markdown|ya?ml|json|toml)$/.test(entry.name))
      .map((entry): RealFile => {
        const full = path.join(entry.parentPath, entry.name)
        const [top = "", , ...rest] = path.relative(corpus, full).split(path.sep)
        return { top, file: rest.join("/").replaceAll("__", "/"), text: readFileSync(full, "utf8") }
      })
      // The corpus describes itself in a file at its top.
      .filter(({ file }) => file !== "")
  : []

const read = ({ top, file, text }: RealFile, given = text): DefinitionFile =>
  readDefinitionText(
    { path: file, text: given },
    formats.find(({ id }) => id === top),
    {},
  )

describe.skipIf(files.length === 0)("real files", () => {
  const supported = files.filter(({ top }) => formats.some(({ id }) => id === top))

  test("every one gives an agent or a diagnostic that names the reason", () => {
    const silent = files.filter((file) => {
      const { agent, problems } = read(file)
      return !agent && !problems.some(({ message }) => message !== "")
    })
    expect(silent.map(({ file }) => file)).toEqual([])
    expect(files.length).toBeGreaterThanOrEqual(1_142)
  })

  test("of those in a supported format that say anything, 99.5 % give an agent", () => {
    const saying = supported.filter(
      ({ file, text }) => !/\.(md|markdown)$/.test(file) || splitFrontmatter(text).type === "split",
    )
    const without = saying.filter((file) => !read(file).agent)
    expect(without.length / saying.length, without.map(({ file }) => file).join("\n")).toBeLessThanOrEqual(
      0.005,
    )
  })

  test("one in a format of another day is told in one finding that names the format", () => {
    const titles: Readonly<Record<string, string>> = {
      "codex-toml": "Codex TOML",
      copilot: "GitHub Copilot",
      "goose-recipe": "Goose",
      opencode: "opencode",
    }
    const wrong = files
      .filter(({ top }) => top in titles)
      .filter((file) => {
        const { problems } = read(file)
        return problems.length !== 1 || !problems[0]!.message.includes(titles[file.top]!)
      })
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test("what was repaired is written by a fix, and then reads strictly to an equal agent", () => {
    const repaired = supported.filter((file) => read(file).repaired)
    for (const file of repaired) {
      const before = read(file)
      const fixes = diagnoseFile(before).filter(({ code }) => code === "yaml-repaired")
      const after = read(file, applyFixes(file.text, fixes).text)
      expect({ file: file.file, repaired: after.repaired, agent: after.agent }).toEqual({
        file: file.file,
        repaired: false,
        agent: before.agent,
      })
    }
    expect(repaired.length).toBeGreaterThan(20)
  })

  test("the library that reads values and the one that finds places agree", () => {
    for (const { file, text } of files.filter(({ file }) => !file.endsWith(".toml"))) {
      const split = /\.(md|markdown)$/.test(file) ? splitFrontmatter(text) : undefined
      if (split && split.type !== "split") continue
      const yaml = split ? split.yaml : text
      const result = readYaml(yaml)
      if (result.type !== "value" || typeof result.value !== "object") continue
      expect({ file, value: parse(yaml, { schema: "core", logLevel: "silent" }) }).toEqual({
        file,
        value: result.value,
      })
      const locate = locateYaml(yaml)
      for (const key of Object.keys(result.value ?? {})) {
        const span = locate([key], "key")
        expect({ file, key: span && yaml.slice(span.start, span.end).replace(/^["']|["']$/g, "") }).toEqual({
          file,
          key,
        })
      }
    }
  })
})
