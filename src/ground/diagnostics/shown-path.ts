import path from "node:path"

/** A file as people look for it: relative to a folder where it lies in it, otherwise as it was given. */
export function shownPath(file: string, base: string | undefined): string {
  if (base === undefined || !path.isAbsolute(file)) return file
  const relative = path.relative(base, file)
  return relative === "" || relative.split(path.sep)[0] === ".." || path.isAbsolute(relative)
    ? file
    : relative
}

/** The same with `/`, as everything wants it that is not a terminal. */
export function portablePath(file: string, base: string | undefined): string {
  return shownPath(file, base).split(path.sep).join("/")
}
