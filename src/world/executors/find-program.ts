import { accessSync, constants, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

/** Finds a program: at its absolute path, or in the first folder of `search` that has it. */
export function findProgram(
  name: string,
  search: string,
): { readonly path: string } | { readonly problem: string } {
  if (path.isAbsolute(name))
    return isRunnable(name) ? { path: name } : { problem: `there is no executable file at ${name}.` }
  const file = search
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find(isRunnable)
  return file === undefined
    ? {
        problem: `the program ${name} was not found in PATH (folders of the workspace are skipped). Install it, or write its absolute path.`,
      }
    : { path: file }
}

/**
 * The folders that a sandbox must show so that the program runs: its own folder and its packages. Never the whole home.
 */
export function findProgramFolders(
  program: string,
  home: string,
): { readonly folders: readonly string[] } | { readonly problem: string } {
  const real = realpathSync(program)
  const packages = /^(.*?\/node_modules)\//.exec(real)?.[1]
  const folders = [...new Set([path.dirname(program), packages ?? path.dirname(real)])]
  const homes = [home, withoutLinks(home)]
  const hiddenFolder = folders.find((folder) => homes.some((place) => isInside(folder, place)))
  return hiddenFolder === undefined
    ? { folders }
    : {
        problem: `${program} is in ${hiddenFolder}, which the sandbox hides. Move the program to a folder of its own.`,
      }
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
