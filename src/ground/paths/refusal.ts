/** The reason why a path is not used, in words for the model that gave it. */
export class PathRefusal extends Error {
  override readonly name = "Refusal"
}

/** An error of the file system in words for a model. Other errors are thrown again. */
export function toPathRefusal(error: unknown, path: string): PathRefusal {
  if (error instanceof PathRefusal) return error
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (typeof code !== "string") throw error
  return new PathRefusal(`${path}: ${meanings[code] ?? `the file system refused with ${code}.`}`)
}

const meanings: Readonly<Record<string, string>> = {
  EACCES: "permission denied. Use another path.",
  EPERM: "the system does not permit this here. Use another path.",
  ENOENT: "there is no such file or folder. Use LS or Glob to see what is there.",
  ENOTDIR: "a part of this path is a file, not a folder. Use LS to see what is there.",
  EISDIR: "this is a folder, not a file. Give the path of a file.",
  EEXIST: "this name already exists.",
  ENAMETOOLONG: "the path is too long for the file system. Choose a shorter one.",
  ELOOP: "the links in this path lead in a circle, or there are too many of them.",
  ENOSPC: "the disk is full. Nothing was changed; make space before you try again.",
  EDQUOT: "the user's disk quota is used up. Nothing was changed.",
  EFBIG: "the file would be larger than is permitted. Nothing was changed.",
  EROFS: "the file system is read-only. Nothing was changed.",
  EMFILE: "too many files are open at the moment. Try again.",
  ENFILE: "too many files are open at the moment. Try again.",
  EIO: "the disk failed.",
  ENXIO: "this is not a regular file.",
  EBUSY: "another process is using it. Try again.",
}
