import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { describeThrown } from "../../ground/errors.ts"
import type { Problem } from "../formats/problem.ts"
import { isReallyInside, leadsOutMessage, readSourceFile } from "../formats/source.ts"
import { makeForeignProblem } from "./file.ts"
import { type Foreign, recogniseByContent } from "./foreign.ts"
import { isToolFolder, recogniseByPlace } from "./foreign-places.ts"
import { isRepository } from "./repository.ts"
import type { Root } from "./root.ts"

/** The files of a folder to read, and the files and folders that are not read, with the reason. */
export interface Scan {
  readonly files: readonly string[]
  readonly refused: readonly { readonly file: string; readonly problem: Problem }[]
}

const maxFiles = 20_000
const maxEntries = 200_000
const endings = new Set([".md", ".markdown", ".yaml", ".yml", ".json"])

/** Lists the files of a folder in sorted order. A missing folder counts as empty. */
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
    refuse(root.path, "link-outside", leadsOutMessage)
    return { files, refused }
  }
  let entryCount = 0
  const seen = new Set<string>()
  const pending = [root.path]
  for (let folder = pending.shift(); folder !== undefined; folder = pending.shift()) {
    for (const entry of entriesOf(folder, (message) => refuse(folder!, "folder-unreadable", message))) {
      const { name } = entry
      const file = `${folder}${path.sep}${name}`
      if (entry.isFile()) {
        if (isToRead(root, file, name)) files.push(file)
        else if (looksIntended(root, name)) {
          const foreign = foreignAt(file)
          if (foreign) refused.push({ file, problem: makeForeignProblem(foreign) })
          else
            note(
              file,
              `${root.format!.title} reads only ${root.format!.locations.extensions.map((ending) => `*${ending}`).join(", ")} here, so this file is skipped.`,
            )
        }
      } else if (entry.isDirectory()) {
        if (root.depth === "nested" && (isProjectFolder(file) || (!root.format && isToolFolder(name))))
          pending.push(file)
        else if (root.depth === "flat" && root.format && isProjectFolder(file))
          note(file, `${root.format.title} does not read subfolders here, so this folder is skipped.`)
      } else if (entry.isSymbolicLink()) {
        const target = followLink(root, file, seen)
        if (target === "outside") {
          if (isToRead(root, file, name) || !name.includes(".")) refuse(file, "link-outside", leadsOutMessage)
        } else if (target === "missing") note(file, "This link is broken, so it is skipped.")
        else if (target === "folder" && root.depth === "nested") pending.push(file)
        else if (target === "file" && isToRead(root, file, name)) files.push(file)
      } else if (isToRead(root, file, name))
        refuse(file, "file-special", "This is a pipe, socket or device, not a regular file. It is not read.")
      if (files.length >= maxFiles || ++entryCount >= maxEntries) {
        refuse(
          root.path,
          "folder-too-large",
          `This folder has more than ${files.length >= maxFiles ? maxFiles : maxEntries} files. The rest are not read.`,
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
    if (code !== "ENOENT" && code !== "ENOTDIR")
      failed(`This folder cannot be read: ${describeThrown(error)}.`)
    return []
  }
}

function isToRead({ path: folder, format }: Root, file: string, name: string): boolean {
  if (format) {
    const { extensions, only } = format.locations
    return !name.startsWith(".") && extensions.includes(endingOf(name)) && (only?.test(name) ?? true)
  }
  // Hidden files, and files in hidden folders, are read only if a known tool keeps them there.
  if (name.startsWith(".") || isHidden(file.slice(folder.length)))
    return recogniseByPlace(portable(file)) !== undefined
  if (!endings.has(endingOf(name))) return otherEndings.has(endingOf(name)) && foreignAt(file) !== undefined
  return !/^readme\./i.test(name)
}

/** File endings that only other programs use. Few such files are agents, so their content decides. */
const otherEndings = new Set([".toml", ".mdc", ".jsonc", ".af"])

const isHidden = (file: string): boolean => /[\\/]\.[^\\/]+[\\/]/.test(file)

const portable = (file: string): string => `/${file.split(path.sep).join("/")}`

/** Recognises a file of another program by its place or content. */
function foreignAt(file: string): Foreign | undefined {
  const place = recogniseByPlace(portable(file))
  if (place) return place
  const reading = readSourceFile(file)
  return reading.type === "source" ? recogniseByContent(portable(file), reading.source.text) : undefined
}

/** True if the author probably expects the file to be read: it has the ending of a definition. */
const looksIntended = ({ format }: Root, name: string): boolean =>
  format !== undefined &&
  !name.startsWith(".") &&
  format.locations.only === undefined &&
  (endings.has(endingOf(name)) || endingOf(name) === ".toml")

const endingOf = (name: string): string => name.slice(name.lastIndexOf(".")).toLowerCase()

/** True for folders of the project itself: no installed package, no hidden folder, no repository inside the repository. */
const isProjectFolder = (folder: string): boolean => {
  const base = path.basename(folder)
  return base !== "node_modules" && !base.startsWith(".") && !isRepository(folder)
}

function followLink(
  root: Root,
  link: string,
  seen: Set<string>,
): "file" | "folder" | "outside" | "nowhere" | "missing" {
  try {
    const target = realpathSync(link)
    if (!isReallyInside(target, root.boundary)) return "outside"
    // A target inside the root is found without the link. Following it could loop forever.
    if (seen.has(target) || isReallyInside(target, root.path)) return "nowhere"
    seen.add(target)
    return statSync(target).isDirectory() ? "folder" : "file"
  } catch {
    return "missing"
  }
}
