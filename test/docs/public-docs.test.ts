/** Editors show a text for everything that the package exports, and an example for every function, class and constant. */
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import ts from "typescript"
import { expect, test } from "vitest"
import { entryPoints, findUndocumented } from "../../scripts/docs/undocumented.ts"
import { isInside } from "../../src/ground/paths/inside.ts"

const root = path.resolve(import.meta.dirname, "../..")

test("every export and every member of an exported type has a text, and every value has an example", () => {
  expect(findUndocumented(root)).toEqual({ withoutExample: [], withoutText: [] })
})

test("an export without a text and an example is found, and so is a member without a text", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "public-docs-"))
  try {
    fs.writeFileSync(path.join(folder, "tsconfig.json"), "{}")
    for (const file of Object.values(entryPoints)) {
      fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      fs.writeFileSync(path.join(folder, file), "export {}\n")
    }
    fs.writeFileSync(
      path.join(folder, entryPoints["cadre/store"]!),
      [
        "export const bare = 1",
        "/** A number without an example. */",
        "export const described = 2",
        "/**\n * A number.\n * @example\n * console.log(complete)\n */",
        "export const complete = 3",
        "/** A shape. */",
        "export interface Shape {\n  /** The width in pixels. */\n  width: number\n  height: number\n}",
      ].join("\n"),
    )
    expect(findUndocumented(folder)).toEqual({
      withoutExample: ["cadre/store: bare", "cadre/store: described"],
      withoutText: ["cadre/store: Shape.height", "cadre/store: bare"],
    })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})

test("every example type-checks, and one with a wrong name or option would be noticed", () => {
  const wrong = [
    'import { spawnAgent } from "cadre"\nspawnAgent()',
    'import { defineAgent } from "cadre"\ndefineAgent({ name: "a", prompt: "b" })',
    'import { openWorkspace } from "cadre/files"\nopenWorkspace().agents()',
  ]
  const examples = readExamples()
  expect(examples.length).toBeGreaterThan(30)
  expect(typeProblems([...examples, ...wrong])).toEqual([
    [wrong[0], `Module '"cadre"' has no exported member 'spawnAgent'.`],
    [wrong[1], expect.stringMatching(/'prompt' does not exist in type 'AgentInput/)],
    [wrong[2], "Property 'agents' does not exist on type 'Workspace'."],
  ])
})

/** The code of every `@example` in the sources. */
function readExamples(): readonly string[] {
  return fs
    .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const text = fs.readFileSync(path.join(root, "src", file), "utf8")
      const tags = text.match(/^ *\* @example\b/gm) ?? []
      const blocks = [...text.matchAll(/^ *\* @example\n *\* ```ts\n([\s\S]*?)^ *\* ```$/gm)]
      expect([file, blocks.length]).toEqual([file, tags.length])
      return blocks.map(([, block]) => block!.replaceAll(/^ *\* ?/gm, ""))
    })
}

/** Type-checks each example as a module of its own that imports the sources. */
function typeProblems(examples: readonly string[]): readonly (readonly [example: string, problem: string])[] {
  const modules = new Map(
    examples.map((example, index) => [path.join(root, `test/docs/example-${index}.ts`), example]),
  )
  const { config } = ts.readConfigFile(path.join(root, "tsconfig.json"), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const paths = Object.fromEntries(
    Object.entries(entryPoints).map(([name, file]) => [name, [path.join(root, file)]]),
  )
  const host = ts.createCompilerHost(options)
  const { readFile, getSourceFile, fileExists } = host
  host.fileExists = (file) => modules.has(file) || fileExists(file)
  host.readFile = (file) => modules.get(file) ?? readFile(file)
  host.getSourceFile = (file, languageOptions, ...rest) => {
    const example = modules.get(file)
    return example === undefined
      ? getSourceFile(file, languageOptions, ...rest)
      : ts.createSourceFile(file, example, languageOptions)
  }
  const program = ts.createProgram([...modules.keys()], { ...options, paths, noUnusedLocals: false }, host)
  expect(
    program.getSourceFiles().filter(({ fileName }) => isInside(path.join(root, "dist"), fileName)),
  ).toEqual([])
  return [...modules].flatMap(([file, example]) => {
    const source = program.getSourceFile(file)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => [example, ts.flattenDiagnosticMessageText(messageText, " ")] as const,
    )
  })
}
