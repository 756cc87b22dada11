import { accessSync, constants, realpathSync, statSync } from "node:fs"
import path from "node:path"
import { isInside } from "../../ground/paths/inside.ts"
import { withoutLinks } from "../../ground/paths/without-links.ts"

/** Where a program is: at the place it names, or in the first of these folders that has it. */
export function findProgram(
  name: string,
  search: string,
): { readonly path: string } | { readonly problem: string } {
  if (path.isAbsolute(name))
    return isRunnable(name) ? { path: name } : { problem: `there is no program at ${name} that can be run.` }
  const found = search
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find(isRunnable)
  return found === undefined
    ? {
        problem: `there is no program ${name} in PATH, where folders of the workspace do not count. Install it, or give its whole path.`,
      }
    : { path: found }
}

/** What a sandbox has to show for it to run: its own folder, and the packages it is one of; never all of a home. */
export function foldersOf(
  program: string,
  home: string,
): { readonly folders: readonly string[] } | { readonly problem: string } {
  const real = realpathSync(program)
  const packages = /^(.*?\/node_modules)\//.exec(real)?.[1]
  const folders = [...new Set([path.dirname(program), packages ?? path.dirname(real)])]
  const homes = [home, withoutLinks(home)]
  const open = folders.find((folder) => homes.some((place) => isInside(folder, place)))
  return open === undefined
    ? { folders }
    : { problem: `${program} lies in ${open}, which the sandbox hides. Move it to a folder of its own.` }
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
