import fs from "node:fs"
import path from "node:path"
import { describeThrown } from "../../../ground/errors.ts"
import { isMap, type Json, type JsonMap } from "../../../ground/message.ts"
import { type KnownFile, removeFile, replaceFile } from "../../../ground/paths/change-file.ts"
import { openFolder } from "../../../ground/paths/folder.ts"
import { lockFile } from "../../../ground/paths/lock-file.ts"
import { ServerFailure } from "../failure.ts"

/** The place of the user's logins, and the function that learns the secrets in them. */
export interface LoginPlace {
  /** The folder of the user's keys. */
  readonly folder: string
  /** Keeps a value out of everything that is recorded. */
  keepSecret(value: string): void
}

/** A login at one server, as its file holds it. */
export interface SavedLogin {
  /** The address of the server. The tokens go to no other one. */
  readonly server: string
  /** The authorisation server that gave the tokens. Only this one gets the refresh token. */
  readonly issuer: string
  /** The parts of the issuer's description that a refresh and a logout need. */
  readonly endpoints: {
    readonly token: string
    readonly revocation?: string
    readonly methods?: readonly string[]
  }
  /** The name of the server as the issuer knows it. */
  readonly resource?: string
  readonly client: { readonly id: string; readonly secret?: string; readonly method?: string }
  readonly accessToken: string
  readonly refreshToken?: string
  readonly scope?: string
  /** In milliseconds since 1970. Absent: the issuer did not say. */
  readonly expires?: number
  readonly at: string
}

/** The login at a server. Undefined: there is none. Throws a ServerFailure if the file cannot be used. */
export function readLogin(place: LoginPlace, name: string): SavedLogin | undefined {
  return readFile(place, name)?.login
}

/** Writes a login in full or not at all, for the user alone. */
export async function writeLogin(place: LoginPlace, name: string, login: SavedLogin): Promise<void> {
  for (const secret of listLoginSecrets(login)) place.keepSecret(secret)
  const bytes = Buffer.from(`${JSON.stringify({ version, ...login }, null, 2)}\n`)
  const expected = readBytes(locateLoginFile(place, name)) ?? "absent"
  fs.mkdirSync(folderOf(place), { recursive: true, mode: 0o700 })
  const base = fs.realpathSync(folderOf(place))
  await replaceFile(base, path.join(base, `${name}.json`), bytes, { expected, readers: "owner" })
}

/** Removes a login. Returns whether there was one. */
export async function removeLogin(place: LoginPlace, name: string): Promise<boolean> {
  const content = readBytes(locateLoginFile(place, name))
  if (!content) return false
  const base = fs.realpathSync(folderOf(place))
  await removeFile(base, path.join(base, `${name}.json`), content)
  return true
}

/** Works on a login while no other process of ours does, however long a request takes. */
export async function workUnderLoginLock<Value>(
  place: LoginPlace,
  name: string,
  work: () => Promise<Value>,
): Promise<Value> {
  fs.mkdirSync(folderOf(place), { recursive: true, mode: 0o700 })
  const base = fs.realpathSync(folderOf(place))
  const folder = openFolder(base, base, "refuse")
  try {
    const release = await lockFile(folder, `refresh ${name}`, longestRefresh)
    try {
      return await work()
    } finally {
      release()
    }
  } finally {
    folder.close()
  }
}

/** Longer than a refresh may take, so that only the lock of a stuck process is taken over. */
const longestRefresh = 90_000

/** The file of a login, whether it exists or not. */
export const locateLoginFile = (place: Pick<LoginPlace, "folder">, name: string): string =>
  path.join(folderOf(place), `${name}.json`)

const folderOf = ({ folder }: Pick<LoginPlace, "folder">): string => path.join(folder, "mcp")

/** The values of a login that may be seen nowhere. */
export const listLoginSecrets = ({ accessToken, refreshToken, client }: SavedLogin): readonly string[] =>
  [accessToken, refreshToken, client.secret].filter((value) => value !== undefined)

const version = 1

function readFile(
  place: LoginPlace,
  name: string,
): { readonly login: SavedLogin; readonly content: KnownFile } | undefined {
  const file = locateLoginFile(place, name)
  const content = readBytes(file)
  if (!content) return undefined
  const login = parseLogin(content.bytes)
  if (!login)
    throw new ServerFailure(
      "refused",
      `its login file ${file} cannot be understood. Run \`cadre mcp logout ${name}\`, then \`cadre mcp login ${name}\``,
    )
  for (const secret of listLoginSecrets(login)) place.keepSecret(secret)
  return { login, content: content }
}

function readBytes(file: string): KnownFile | undefined {
  try {
    return { stats: fs.lstatSync(file, { bigint: true }), bytes: fs.readFileSync(file) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw new ServerFailure("refused", `its login file ${file} cannot be read: ${describeThrown(error)}`)
  }
}

function parseLogin(bytes: Uint8Array): SavedLogin | undefined {
  const value = jsonOf(Buffer.from(bytes).toString("utf8"))
  if (!isMap(value) || value.version !== version) return undefined
  const { version: _, ...login } = value
  const { endpoints, client, expires } = login
  const isComplete =
    ["server", "issuer", "accessToken", "at"].every((key) => isText(login[key])) &&
    ["refreshToken", "scope", "resource"].every((key) => login[key] === undefined || isText(login[key])) &&
    (expires === undefined || typeof expires === "number") &&
    isMap(endpoints) &&
    isText(endpoints.token) &&
    (endpoints.revocation === undefined || isText(endpoints.revocation)) &&
    (endpoints.methods === undefined ||
      (Array.isArray(endpoints.methods) && endpoints.methods.every(isText))) &&
    isMap(client) &&
    isText(client.id) &&
    ["secret", "method"].every((key) => client[key] === undefined || isText(client[key]))
  return isComplete ? (login as JsonMap as unknown as SavedLogin) : undefined
}

const isText = (value: Json | undefined): boolean => typeof value === "string" && value !== ""

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
