import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs"
import path from "node:path"
import { messageOf } from "../../ground/errors.ts"
import { isMap } from "../../ground/message.ts"
import { closestWord, plainKey, vocabularyOf } from "../../ground/restricting.ts"
import { isAside, isNoteOrScript } from "../formats/beside.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { readSourceFile } from "../formats/source.ts"

/** Why nothing of a file or folder is read. */
export interface Unread {
  readonly code: "gate-name" | "gate-folder"
  readonly message: string
}

interface Found {
  readonly file: string
  /** Gobby leaves it out, because of its folder: it holds where it is named. */
  readonly aside?: true
  readonly unread?: Unread
}

/**
 * The files of a folder in which hooks or workflows are expected, by name. What was meant to be one, and would not be read,
 * is among them with the reason: nobody may take it for one that forbids nothing.
 */
export function filesOfFolder(folder: string, depth: "flat" | "nested", levels = 3): readonly Found[] {
  const entries = entriesOf(folder)
  if (!Array.isArray(entries)) return entries ? [entries as Found] : []
  return entries
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      if (/\.ya?ml$/i.test(entry.name)) return [{ file }]
      if (!isFolder(file, entry)) return misnamed(file)
      if (depth === "flat") return unseen(file)
      if (entry.name === "deprecated")
        return filesOfFolder(file, depth, levels - 1).map((found) => ({ ...found, aside: true as const }))
      return levels > 0 ? filesOfFolder(file, depth, levels - 1) : unseen(file)
    })
}

/** What there is in a folder; why it cannot be told; or undefined, where there is no folder at all. */
function entriesOf(folder: string): readonly Dirent[] | Found | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const file = blockedAt(folder)
    if (file === undefined) return undefined
    return {
      file,
      unread: {
        code: "gate-folder",
        message: `Hooks or workflows are expected here, and what there is cannot be listed: ${messageOf(error)}. Make it a folder that can be read, or remove it.`,
      },
    }
  }
}

/** What stands in the place of a folder, or of the one that it lies in. Undefined: there is nothing. */
function blockedAt(folder: string): string | undefined {
  if (isThere(folder)) return folder
  const above = path.dirname(folder)
  return isThere(above) && !isFolderAt(above) ? above : undefined
}

function isThere(file: string): boolean {
  try {
    lstatSync(file)
    return true
  } catch (error) {
    // Above it may be something that nobody may look into.
    return !["ENOENT", "ENOTDIR"].includes(String((error as NodeJS.ErrnoException).code))
  }
}

function isFolderAt(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}

function isFolder(file: string, entry: Dirent): boolean {
  return entry.isSymbolicLink() ? isFolderAt(file) : entry.isDirectory()
}

/** What a folder of settings has beside those that are looked into, by a name that was meant for one of them. */
export function slipsIn(folder: string, meant: readonly string[]): readonly Found[] {
  const entries = entriesOf(folder)
  if (!Array.isArray(entries)) return []
  const words = vocabularyOf(slipWords.map((word) => [word, word] as const))
  return (entries as readonly Dirent[])
    .filter(({ name }) => !meant.includes(name) && !isAside(name))
    .filter(({ name }) => closestWord(plainKey(name.replace(/\.(?:ya?ml|json)$/i, "")), words) !== undefined)
    .map(({ name }) => path.join(folder, name))
    .filter((file) => !meant.some((name) => isSame(file, path.join(folder, name))))
    .filter((file) => (isFolderAt(file) ? holdsYaml(file) : /\.(?:ya?ml|json)$/i.test(file)))
    .map((file) => ({ file, unread: { code: "gate-folder" as const, message: slipText(file, meant) } }))
}

function slipText(file: string, meant: readonly string[]): string {
  const inFolder = (name: string) => `\`${path.basename(path.dirname(file))}/${name}\``
  const moved = isFolderAt(file) ? "its files" : "it"
  return `cadre does not read ${inFolder(path.basename(file))}, and it may contain rules. Move ${moved} to ${meant.map(inFolder).join(" or ")}, or delete it.`
}

const slipWords = ["lifecycles", "lifecycle", "workflows", "workflow", "hooks", "hook"]

/** Scripts of hooks may lie in a folder that is called so. */
const holdsYaml = (folder: string): boolean =>
  filesOfFolder(folder, "nested", 1).some(({ file }) => /\.ya?ml$/i.test(file))

/** Where upper and lower case are one, a folder has several names. */
function isSame(one: string, other: string): boolean {
  try {
    const [left, right] = [statSync(one), statSync(other)]
    return left.dev === right.dev && left.ino === right.ino
  } catch {
    return false
  }
}

/** Files of hooks in a folder that nobody looks into. */
function unseen(folder: string): readonly Found[] {
  const inner = filesOfFolder(folder, "nested", 0)
  if (inner.length === 0) return []
  return [
    {
      file: folder,
      unread: {
        code: "gate-folder",
        message: `Nobody looks into this folder, and ${path.basename(inner[0]!.file)} in it may forbid something. Move its files one folder up, or away.`,
      },
    },
  ]
}

/**
 * A file in a folder of hooks that is called as none of them is. Notes, scripts and copies that were put aside may lie there,
 * unless they hold hooks; anything else may have been meant to forbid something, whatever is in it.
 */
function misnamed(file: string): readonly Found[] {
  const name = path.basename(file)
  if (isAside(name)) return []
  const isHarmless = isRegular(file) && (isNoteOrScript(name) || isProgram(file))
  if (isHarmless && !isData.test(name) && !holdsHooks(file)) return []
  return [
    {
      file,
      unread: {
        code: "gate-name",
        message: `This file is not read, and it may forbid something: hooks and workflows stand in files that end in .yaml. Rename it${isData.test(name) ? " and write it as YAML (JSON is YAML, too)" : ""}, or move it away.`,
      },
    },
  ]
}

/** Also what a link leads to, where it leads anywhere. */
function isRegular(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** A script without an ending says by which program it is run. */
function isProgram(file: string): boolean {
  const reading = readSourceFile(file)
  return reading.type === "source" && reading.source.text.startsWith("#!")
}

const isData = /\.(?:jsonc?|json5|toml|ymal|yaml\.txt|yml\.txt)$/i

function holdsHooks(file: string): boolean {
  const reading = readSourceFile(file)
  const yaml = reading.type === "source" ? readYaml(reading.source.text) : undefined
  if (yaml?.type !== "value" || !isMap(yaml.value)) return false
  return Object.keys(yaml.value).some((key) =>
    /^(?:on_[a-z_]+|(?:before|after)_(?:tool|spawn|model)|run_start|run_end|stop|hooks|triggers|steps|rules|tool_rules|PreToolUse|PostToolUse|Stop)$/.test(
      key,
    ),
  )
}
