import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { messageOf } from "../../ground/errors.ts"
import type { Problem } from "../formats/problem.ts"
import { isReallyInside, leadsOut, readSourceFile } from "../formats/source.ts"
import { foreignProblem } from "./file.ts"
import { type Foreign, foreignByContent } from "./foreign.ts"
import { foreignByPlace, isToolFolder } from "./foreign-places.ts"
import { isRepository } from "./repository.ts"
import type { Root } from "./root.ts"

/** What lies in a folder: files to be read, and what is not read, with the reason. */
export interface Scan {
  readonly files: readonly string[]
  readonly refused: readonly { readonly file: string; readonly problem: Problem }[]
}

const maxFiles = 20_000
const maxEntries = 200_000
const endings = new Set([".md", ".markdown", ".yaml", ".yml", ".json"])

/** The files of a folder, in an order that does not depend on the file system. Missing folders are empty. */
export function scanFolder(root: Root): Scan {
  const files: string[] = []
  const refused: { file: string; problem: Problem }[] = []
  const refuse = (file: string, code: string, message: string) =>
    refused.push({ file, problem: { code, severity: "warning", message, at: { type: "start" } } })
  const note = (file: string, message: string) =>
    refused.push({
      file,
      problem: { code: "file-ignored", severity: "info", message, at: { type: "start" } },
    })
  if (!isReallyInside(root.path, root.boundary)) {
    refuse(root.path, "link-outside", leadsOut)
    return { files, refused }
  }
  let looked = 0
  const seen = new Set<string>()
  const pending = [root.path]
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    for (const entry of entriesOf(folder, (message) => refuse(folder!, "folder-unreadable", message))) {
      const { name } = entry
      const file = `${folder}${path.sep}${name}`
      if (entry.isFile()) {
        if (isWanted(root, file, name)) files.push(file)
        else if (looksMeant(root, name)) {
          const foreign = foreignAt(file)
          if (foreign) refused.push({ file, problem: foreignProblem(foreign) })
          else
            note(
              file,
              `${root.format!.title} does not read files such as this one here (it reads ${root.format!.locations.extensions.map((ending) => `*${ending}`).join(", ")}), so it is left alone.`,
            )
        }
      } else if (entry.isDirectory()) {
        if (root.depth === "nested" && (isOwn(file) || (!root.format && isToolFolder(name))))
          pending.push(file)
        else if (root.depth === "flat" && root.format && isOwn(file))
          note(
            file,
            `${root.format.title} does not look into folders here, so what is in this one is left alone.`,
          )
      } else if (entry.isSymbolicLink()) {
        const target = followed(root, file, seen)
        if (target === "outside") {
          if (isWanted(root, file, name) || !name.includes(".")) refuse(file, "link-outside", leadsOut)
        } else if (target === "missing")
          note(file, "This link leads to nothing, so there is nothing to read.")
        else if (target === "folder" && root.depth === "nested") pending.push(file)
        else if (target === "file" && isWanted(root, file, name)) files.push(file)
      } else if (isWanted(root, file, name))
        refuse(file, "file-special", "This is no regular file but a pipe, socket or device; it is not read.")
      if (files.length >= maxFiles || ++looked >= maxEntries) {
        refuse(
          root.path,
          "folder-too-large",
          `There are more than ${files.length >= maxFiles ? maxFiles : maxEntries} files in this folder; the rest are not read.`,
        )
        return { files: files.sort(), refused }
      }
    }
  }
  return { files: files.sort(), refused }
}

function entriesOf(folder: string, failed: (message: string) => void): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ENOENT" && code !== "ENOTDIR") failed(`This folder cannot be read: ${messageOf(error)}.`)
    return []
  }
}

function isWanted({ path: folder, format }: Root, file: string, name: string): boolean {
  if (format) {
    const { extensions, only } = format.locations
    return !name.startsWith(".") && extensions.includes(endingOf(name)) && (only?.test(name) ?? true)
  }
  // In a hidden folder only what some tool keeps there counts, and so does a hidden file.
  if (name.startsWith(".") || isHidden(file.slice(folder.length)))
    return foreignByPlace(portable(file)) !== undefined
  if (!endings.has(endingOf(name))) return otherEndings.has(endingOf(name)) && foreignAt(file) !== undefined
  return !/^readme\./i.test(name)
}

/** Endings of files that only other tools have: of these, most are nobody's agents. */
const otherEndings = new Set([".toml", ".mdc", ".jsonc", ".af"])

const isHidden = (file: string): boolean => /[\\/]\.[^\\/]+[\\/]/.test(file)

const portable = (file: string): string => `/${file.split(path.sep).join("/")}`

/** Another tool's file, by its place or by what it says. */
function foreignAt(file: string): Foreign | undefined {
  const place = foreignByPlace(portable(file))
  if (place) return place
  const reading = readSourceFile(file)
  return reading.type === "source" ? foreignByContent(portable(file), reading.source.text) : undefined
}

/** A file that its author must have meant to be read: an ending of definitions in a folder of definitions. */
const looksMeant = ({ format }: Root, name: string): boolean =>
  format !== undefined &&
  !name.startsWith(".") &&
  format.locations.only === undefined &&
  (endings.has(endingOf(name)) || endingOf(name) === ".toml")

const endingOf = (name: string): string => name.slice(name.lastIndexOf(".")).toLowerCase()

/** Not somebody else's: no installed packages, no hidden folders, no repository inside the repository. */
const isOwn = (folder: string): boolean => {
  const base = path.basename(folder)
  return base !== "node_modules" && !base.startsWith(".") && !isRepository(folder)
}

function followed(
  root: Root,
  link: string,
  seen: Set<string>,
): "file" | "folder" | "outside" | "nowhere" | "missing" {
  try {
    const target = realpathSync(link)
    if (!isReallyInside(target, root.boundary)) return "outside"
    // What lies in the folder itself is found there; and a link to a folder above itself would go round for ever.
    if (seen.has(target) || isReallyInside(target, root.path)) return "nowhere"
    seen.add(target)
    return statSync(target).isDirectory() ? "folder" : "file"
  } catch {
    return "missing"
  }
}
