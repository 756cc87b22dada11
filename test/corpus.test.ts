import { existsSync, readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { describe, expect, test } from "vitest"
import { splitFrontmatter } from "../src/formats/frontmatter.ts"
import { applyEdits, repairYaml } from "../src/formats/repair.ts"
import { locateYaml, readYaml } from "../src/formats/yaml.ts"

/** Real definition files from public repositories, beside the checkout; they are not part of the project. */
const corpus = path.resolve(import.meta.dirname, "../../shared/corpus")
const claudeKeys = new Set([
  "name",
  "description",
  "tools",
  "disallowedTools",
  "model",
  "color",
  "permissionMode",
  "skills",
])

if (!existsSync(corpus)) console.warn(`SKIPPED: the corpus of real files is not at ${corpus}`)

describe.skipIf(!existsSync(corpus))("front matter of real files", () => {
  // The body of a skipped suite is still read.
  const folders = existsSync(corpus) ? ["acai", "claude", "codex-md", "copilot", "opencode"] : []
  const files = folders.flatMap((folder) =>
    readdirSync(path.join(corpus, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.join(corpus, folder, name)),
  )

  test("every file that has some reads strictly or after a repair, and a repair reads strictly", () => {
    const unread: string[] = []
    let read = 0
    for (const file of files) {
      const split = splitFrontmatter(readFileSync(file, "utf8"))
      if (split.type !== "split") continue
      const strict = readYaml(split.yaml).type === "value"
      const edits = strict ? [] : repairYaml(split.yaml, claudeKeys)
      if (edits && readYaml(applyEdits(split.yaml, edits)).type === "value") read++
      else unread.push(file)
    }
    expect(unread).toEqual([])
    expect(read).toBeGreaterThan(850)
  })

  test("every key of a file that reads strictly is found where it stands", () => {
    for (const file of files) {
      const split = splitFrontmatter(readFileSync(file, "utf8"))
      const result = split.type === "split" ? readYaml(split.yaml) : undefined
      if (split.type !== "split" || result?.type !== "value" || typeof result.value !== "object") continue
      const locate = locateYaml(split.yaml)
      for (const key of Object.keys(result.value ?? {})) {
        const span = locate([key], "key")
        expect({
          file,
          key: span && split.yaml.slice(span.start, span.end).replace(/^["']|["']$/g, ""),
        }).toEqual({ file, key })
      }
    }
  })
})
