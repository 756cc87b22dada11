import fs from "node:fs"
import path from "node:path"
import { parse } from "yaml"
import { everyTableInstalled } from "../../src/world/shell/machine.ts"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"
import { isUnknown } from "./everyday.ts"

const repository = path.resolve(import.meta.dirname, "../..")
export const packageFloorFile = path.join(repository, "test/shell/package-commands-floor.json")

export interface PackageCommands {
  /** Different simple commands in the scripts and CI files of installed packages: `a && b` are two. */
  readonly commands: number
  /** Those of them that the judge understands. */
  readonly known: number
}

/** Judges the commands that installed packages bring along: their scripts, and what their CI runs. */
export async function judgePackageCommands(): Promise<PackageCommands> {
  const isKnown = new Map<string, boolean>()
  for (const line of new Set(filesBelow(path.join(repository, "node_modules")).flatMap(commandsIn))) {
    const accesses = await findShellAccesses(line, {
      cwd: "/no/workspace",
      home: "/no/home",
      machine: everyTableInstalled,
    })
    const unknownParts = new Set(
      accesses.flatMap((access) => (isUnknown([access]) && "by" in access ? [access.by] : [])),
    )
    for (const access of accesses)
      if (access.type === "command")
        isKnown.set(
          access.text,
          !access.loose && (access.part === undefined || !unknownParts.has(access.part)),
        )
  }
  return { commands: isKnown.size, known: [...isKnown.values()].filter(Boolean).length }
}

function filesBelow(folder: string): readonly string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) =>
      /(?:^|\/)(?:package\.json|\.travis\.yml|(?:\.github\/workflows|\.circleci)\/[^/]+\.ya?ml)$/.test(name),
    )
    .map((name) => path.join(folder, name))
}

function commandsIn(file: string): readonly string[] {
  const text = fs.readFileSync(file, "utf8")
  // Packages ship broken files as test data; only what can be read has commands.
  const content = readable(() => (file.endsWith(".json") ? JSON.parse(text) : parse(text)))
  if (file.endsWith("package.json")) return texts(Object.values(object(object(content).scripts)))
  if (file.endsWith(".travis.yml"))
    return ["before_install", "install", "before_script", "script", "after_success"].flatMap((key) =>
      texts([object(content)[key]].flat()),
    )
  return runSteps(content)
}

/** The texts of `run`, wherever a workflow has them. */
function runSteps(content: unknown): readonly string[] {
  if (Array.isArray(content)) return content.flatMap(runSteps)
  return Object.entries(object(content)).flatMap(([key, value]) => {
    if (key !== "run") return runSteps(value)
    return typeof value === "string" ? [value] : texts([object(value).command])
  })
}

const texts = (values: readonly unknown[]): readonly string[] =>
  values.flatMap((value) => (typeof value === "string" && value.trim() !== "" ? [value.trim()] : []))

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}

function readable(read: () => unknown): unknown {
  try {
    return read()
  } catch {
    return undefined
  }
}
