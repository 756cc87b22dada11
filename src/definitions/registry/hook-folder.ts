import { type Dirent, lstatSync, readdirSync, statSync } from "node:fs"
import path from "node:path"
import { describeThrown } from "../../ground/errors.ts"
import { isMap } from "../../ground/message.ts"
import { createVocabulary, findClosestWord, toPlainKey } from "../../ground/restricting.ts"
import { readYaml } from "../formats/document/yaml.ts"
import { isBackupCopy, isNoteOrScript } from "../formats/side-files.ts"
import { readSourceFile } from "../formats/source.ts"

/** The reason why a file or folder is not read. */
export interface UnreadReason {
  readonly code: "gate-name" | "gate-folder"
  readonly message: string
}

interface FolderFile {
  readonly file: string
  /** Gobby skips the file because of its folder: it takes effect only if it is named. */
  readonly aside?: true
  readonly unread?: UnreadReason
}

/**
 * Lists the files of a folder of hooks or workflows, by name. A file that was meant to be one but is not read is
 * listed with the reason. Otherwise its author would rely on rules without effect.
 */
export function listHookFiles(folder: string, depth: "flat" | "nested", levels = 3): readonly FolderFile[] {
  const entries = entriesOf(folder)
  if (!Array.isArray(entries)) return entries ? [entries as FolderFile] : []
  return entries
    .filter(({ name }) => !name.startsWith("."))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      if (/\.ya?ml$/i.test(entry.name)) return [{ file }]
      if (!isFolder(file, entry)) return findMisnamed(file)
      if (depth === "flat") return findUnread(file)
      if (entry.name === "deprecated")
        return listHookFiles(file, depth, levels - 1).map((inner) => ({ ...inner, aside: true as const }))
      return levels > 0 ? listHookFiles(file, depth, levels - 1) : findUnread(file)
    })
}

/** The entries of a folder, or the reason why it cannot be listed; undefined if there is no folder. */
function entriesOf(folder: string): readonly Dirent[] | FolderFile | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const file = blockedAt(folder)
    if (file === undefined) return undefined
    return {
      file,
      unread: {
        code: "gate-folder",
        message: `Hooks or workflows belong here, but the folder cannot be listed: ${describeThrown(error)}. Make it a readable folder, or remove it.`,
      },
    }
  }
}

/** The path that blocks a folder: the folder itself, or a file in place of its parent. Undefined: nothing is there. */
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
    // A parent folder that may not be read hides whether the file exists, so assume that it does.
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

/** Finds entries of a settings folder whose names are misspelt names of the expected ones. */
export function findMisnamedFolders(folder: string, expected: readonly string[]): readonly FolderFile[] {
  const entries = entriesOf(folder)
  if (!Array.isArray(entries)) return []
  const words = createVocabulary(slipWords.map((word) => [word, word] as const))
  return (entries as readonly Dirent[])
    .filter(({ name }) => !expected.includes(name) && !isBackupCopy(name))
    .filter(
      ({ name }) => findClosestWord(toPlainKey(name.replace(/\.(?:ya?ml|json)$/i, "")), words) !== undefined,
    )
    .map(({ name }) => path.join(folder, name))
    .filter((file) => !expected.some((name) => isSame(file, path.join(folder, name))))
    .filter((file) => (isFolderAt(file) ? holdsYaml(file) : /\.(?:ya?ml|json)$/i.test(file)))
    .map((file) => ({ file, unread: { code: "gate-folder" as const, message: slipText(file, expected) } }))
}

function slipText(file: string, expected: readonly string[]): string {
  const inFolder = (name: string) => `\`${path.basename(path.dirname(file))}/${name}\``
  const subject = isFolderAt(file) ? "its files" : "it"
  return `cadre does not read ${inFolder(path.basename(file))}, and it may contain rules. Move ${subject} to ${expected.map(inFolder).join(" or ")}, or delete it.`
}

const slipWords = ["lifecycles", "lifecycle", "workflows", "workflow", "hooks", "hook"]

/** True if a folder has YAML files. A folder of that name may have only scripts of hooks. */
const holdsYaml = (folder: string): boolean =>
  listHookFiles(folder, "nested", 1).some(({ file }) => /\.ya?ml$/i.test(file))

/** Compares by inode, because a file system that ignores case has several names for a folder. */
function isSame(one: string, other: string): boolean {
  try {
    const [left, right] = [statSync(one), statSync(other)]
    return left.dev === right.dev && left.ino === right.ino
  } catch {
    return false
  }
}

/** Reports files of hooks in a folder that is not read. */
function findUnread(folder: string): readonly FolderFile[] {
  const inner = listHookFiles(folder, "nested", 0)
  if (inner.length === 0) return []
  return [
    {
      file: folder,
      unread: {
        code: "gate-folder",
        message: `This folder is not read, and ${path.basename(inner[0]!.file)} in it may contain rules. Move its files one folder up, or out of the way.`,
      },
    },
  ]
}

/**
 * Reports a file in a folder of hooks whose name is not a name of a hook file. Notes, scripts and backup copies are fine,
 * unless they contain hooks. Any other file may have been meant to forbid something.
 */
function findMisnamed(file: string): readonly FolderFile[] {
  const name = path.basename(file)
  if (isBackupCopy(name)) return []
  const isHarmless = isRegular(file) && (isNoteOrScript(name) || isProgram(file))
  if (isHarmless && !isData.test(name) && !holdsHooks(file)) return []
  return [
    {
      file,
      unread: {
        code: "gate-name",
        message: `This file is not read, and it may contain rules: the names of hook and workflow files must end in .yaml. Rename it${isData.test(name) ? " and write it as YAML (JSON is YAML, too)" : ""}, or move it away.`,
      },
    },
  ]
}

/** Whether a path is a regular file, or a link to one. */
function isRegular(file: string): boolean {
  try {
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** A script without an ending begins with `#!`. */
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
