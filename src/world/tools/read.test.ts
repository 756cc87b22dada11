import { createHash } from "node:crypto"
import fs from "node:fs"
import net from "node:net"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { pdf, png } from "../../../test/attachment-kit.ts"
import { putPipe, temporaryFolder, testRun, without } from "../../../test/file-kit.ts"
import { naming } from "../../../test/naming.ts"
import { createFileTools } from "./files.ts"
import { cutText } from "./shown-text.ts"

const shellName = "$(id) `id`\n'\".txt"
const root = temporaryFolder({
  "a.txt": "one\ntwo\nthree\n",
  "unended.txt": "one\ntwo",
  "empty.txt": "",
  "windows.txt": "\ufeffone\r\ntwo\r\n",
  "many.txt": Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n"),
  "long.txt": `${"x".repeat(1_000_000)}\nshort`,
  "strange.txt": Buffer.concat([
    Buffer.from("a\u0000b "),
    Buffer.from([0xff, 0xc3]),
    Buffer.from(` c ${"d".repeat(100)}\n`),
  ]),
  "picture.png": png(30, 20),
  "plan.txt": pdf(2),
  "video.heic": Buffer.from("\0\0\0\x18ftypheic"),
  "data.bin": Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 7)),
  "wide.txt": Buffer.from("\ufeffwide", "utf16le"),
  "large.txt": "a line of some text\n".repeat(400_000),
  "-rf": "dash",
  [shellName]: "shell",
})
const run = testRun(createFileTools({ root }), root)
const read = (input: Readonly<Record<string, unknown>>) => run.call("Read", input)
const hash = (name: string) =>
  createHash("sha256")
    .update(fs.readFileSync(path.join(root, name)))
    .digest("hex")

test.each([
  ["a.txt", "     1\tone\n     2\ttwo\n     3\tthree"],
  ["unended.txt", "     1\tone\n     2\ttwo"],
  ["windows.txt", "     1\tone\n     2\ttwo"],
  ["empty.txt", `${path.join(root, "empty.txt")} is empty.`],
  ["-rf", "     1\tdash"],
  [shellName, "     1\tshell"],
])("162, 163: %j with numbers, and its hash as evidence", async (name, text) => {
  expect(await read({ path: name })).toEqual({
    text,
    evidence: { read: [{ path: path.join(root, name), hash: hash(name) }] },
  })
})

test("a part, under the names of other hosts as well", async () => {
  expect((await read({ file_path: path.join(root, "a.txt"), offset: 2, limit: 1 })).text).toBe(
    "     2\ttwo\n[Lines 2 to 2 of 3. Go on with offset 3.]",
  )
  expect(await read({ path: "a.txt", offset: 9 })).toEqual({
    text: naming(`${path.join(root, "a.txt")}`, "3", "9", "smaller"),
    isError: true,
  })
})

test("a long file says how to go on, and going on shows it all", async () => {
  const shown: string[] = []
  for (let offset: number | undefined = 1; offset !== undefined; ) {
    const { text } = await read({ path: "many.txt", offset })
    expect(text.length).toBeLessThan(60_000)
    shown.push(...text.split("\n").filter((line) => !line.startsWith("[")))
    const next = /Go on with offset (\d+)/.exec(text)?.[1]
    offset = next === undefined ? undefined : Number(next)
  }
  expect(shown.map((line) => line.split("\t")[1])).toEqual(
    Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`),
  )
})

test("82: a line of a megabyte is cut", async () => {
  expect((await read({ path: "long.txt" })).text).toBe(
    `     1\t${"x".repeat(2000)} […line cut, about 998000 more]\n     2\tshort`,
  )
})

test("82: invalid UTF-8 and NUL are shown as replacements", async () => {
  const { text } = await read({ path: "strange.txt" })
  expect(text).toBe(`     1\ta\ufffdb \ufffd\ufffd c ${"d".repeat(100)}`)
  expect(text.isWellFormed()).toBe(true)
})

test("83: no cut leaves half a character", () => {
  const text = "a\u{1f600}e\u0301\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u6f22\u5b57"
  for (let most = 1; most <= text.length; most++) {
    const cut = cutText(text, most)
    expect([cut.isWellFormed(), text.startsWith(cut), cut.includes("\ufffd")]).toEqual([true, true, false])
  }
})

test.each([
  ["video.heic", /is.*of 12 bytes\. Only.*documents/],
  ["data.bin", /is binary data of 1000 bytes and not text/],
  ["wide.txt", /is text in UTF-16 of 10 bytes/],
  ["missing.txt", /no such file or folder.*LS or Glob/],
  [".", /is a folder, not a file.*LS/],
  ["large.txt", /8000000.*offset/],
])("%s is refused", async (name, why) => {
  expect(await read({ path: name })).toEqual({ text: expect.stringMatching(why), isError: true })
})

test.each([
  ["picture.png", "a PNG picture", "image/png", png(30, 20)],
  ["plan.txt", "a PDF document", "application/pdf", pdf(2)],
])("%s is shown as what it is, whatever it is called", async (name, kind, mediaType, data) => {
  const file = path.join(root, name)
  expect(await read({ path: name })).toEqual({
    text: `${file} is ${kind} of ${data.length} bytes.`,
    attachments: [{ mediaType, data, name }],
    evidence: { read: [{ path: file, hash: hash(name) }] },
  })
})

test("a large file by range", async () => {
  expect((await read({ path: "large.txt", offset: 399_999 })).text).toBe(
    "399999\ta line of some text\n400000\ta line of some text",
  )
})

describe("107: what is no regular file", () => {
  const server = net.createServer()
  beforeAll(async () => {
    putPipe(path.join(root, "pipe"))
    await new Promise<void>((resolve) => server.listen(path.join(root, "socket"), resolve))
    fs.writeFileSync(path.join(root, "huge"), "")
    fs.truncateSync(path.join(root, "huge"), 10 * 1024 ** 3)
    fs.symlinkSync("/dev/zero", path.join(root, "zero"))
  })
  afterAll(() => {
    server.close()
  })
  test.each([
    ["pipe", /is a pipe, not a regular file/],
    ["socket", /is a socket, not a regular file/],
    ["huge", /has 10737418240 bytes; files over .* are not read/],
    ["zero", /leads.*\/dev.*place/],
    ["/dev/zero", /leads to \/dev/],
    ["/proc/self/mem", /leads to \/proc/],
  ])("%s is refused at once", async (name, why) => {
    expect(await read({ path: name, limit: 1 })).toEqual({ text: expect.stringMatching(why), isError: true })
  })
})

test("what the rules refuse at the moment of use is not read", async () => {
  expect(await run.call("Read", { path: "a.txt" }, without("a.txt"))).toEqual({
    text: naming("rules", "read", `${path.join(root, "a.txt")}`),
    isError: true,
  })
})

test("what a rule judges", async () => {
  fs.symlinkSync("a.txt", path.join(root, "link"))
  fs.symlinkSync("/etc/passwd", path.join(root, "outside"))
  expect(await run.accesses("Read", { path: "link" })).toEqual([
    { type: "read", path: path.join(root, "a.txt") },
  ])
  expect(await run.accesses("Read", { path: "outside" })).toEqual([{ type: "read", path: "/etc/passwd" }])
  expect(await run.accesses("Read", { path: "a\u0000" })).toEqual([
    { type: "unclear", reason: expect.stringContaining("NUL") },
  ])
  expect(await run.accesses("Grep", { pattern: "x" })).toEqual([{ type: "read", path: root, below: true }])
})

test("a wrong argument is told with its name", async () => {
  await expect(read({ path: "a.txt", offset: 0 })).rejects.toThrow(/offset/)
  await expect(read({ file: "a.txt" })).rejects.toThrow(/path/)
})
