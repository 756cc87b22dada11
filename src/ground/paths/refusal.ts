/** Why a path is not used, in words for the model that gave it. */
export class Refusal extends Error {
  override readonly name = "Refusal"
}

/** A failure of the file system in words for a model; what is no such failure is thrown on. */
export function refusalOf(error: unknown, path: string): Refusal {
  if (error instanceof Refusal) return error
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (typeof code !== "string") throw error
  return new Refusal(`${path}: ${meanings[code] ?? `the file system refused with ${code}.`}`)
}

const meanings: Readonly<Record<string, string>> = {
  EACCES: "the user that runs this may not do that here. Use another path.",
  EPERM: "the system does not permit that here. Use another path.",
  ENOENT: "there is no such file or folder. Look with LS or Glob for what is there.",
  ENOTDIR: "a part of this path is a file and no folder. Look with LS for what is there.",
  EISDIR: "this is a folder and no file. Give the path of a file.",
  EEXIST: "something of this name is there already.",
  ENAMETOOLONG: "the path is longer than the file system takes. Choose a shorter one.",
  ELOOP: "the links in this path lead in a circle, or there are too many of them.",
  ENOSPC: "the disk is full. Nothing was changed; make space before you try again.",
  EDQUOT: "the user's share of the disk is used up. Nothing was changed.",
  EFBIG: "the file would be larger than is permitted. Nothing was changed.",
  EROFS: "the file system is read-only. Nothing was changed.",
  EMFILE: "too many files are open at the moment. Try again.",
  ENFILE: "too many files are open at the moment. Try again.",
  EIO: "the disk failed.",
  ENXIO: "this is no regular file.",
  EBUSY: "somebody else is using it. Try again.",
}
