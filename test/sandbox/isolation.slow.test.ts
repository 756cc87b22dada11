import fs from "node:fs"
import net from "node:net"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { findSandbox, searchSandbox } from "../../src/world/sandbox/find-sandbox.ts"
import { runCommand } from "../../src/world/sandbox/run-command.ts"
import { git } from "../git-kit.ts"
import { makeWorld, run, sandboxMissing } from "./kit.ts"

let world: ReturnType<typeof makeWorld>
beforeAll(() => {
  world = makeWorld()
})
afterAll(() => world.remove())

describe.skipIf(sandboxMissing)("in the sandbox", () => {
  test("210: the workspace and a private /tmp are writable", async () => {
    const result = await run(
      world,
      "echo a > file && mkdir -p sub/x && echo b > /tmp/private && cat file /tmp/private",
    )
    expect(result).toMatchObject({ exitCode: 0, head: "a\nb\n" })
    expect(fs.readFileSync(path.join(world.root, "file"), "utf8")).toBe("a\n")
    expect(fs.existsSync("/tmp/private")).toBe(false)
  })

  test.each([
    ["outside", "echo x > /usr/made"],
    ["hooks", "echo x > .git/hooks/pre-commit"],
    ["the repository, by moving it away", "mv .git other"],
    ["the repository, by removing it", "rm -rf .git; test ! -e .git"],
    ["settings that are not there yet", "mkdir -p .cadre && echo x > .cadre/made"],
    ["a file of settings that is not there yet", "echo x > .mcp.json"],
    ["the link behind which it lies", "ln -s .git/hooks here && echo x > here/pre-commit"],
    ["a system file", "echo x >> /etc/passwd"],
  ])("210: writing is blocked: %s", async (_, command) => {
    const before = fs.readFileSync("/etc/passwd", "utf8")
    const { exitCode } = await run(world, command)
    expect(exitCode).not.toBe(0)
    expect(fs.readdirSync(path.join(world.root, ".git/hooks"))).toEqual([])
    for (const name of ["made", "work/.cadre", "work/.mcp.json"])
      expect(fs.existsSync(path.join(world.folder, name))).toBe(false)
    expect(fs.readFileSync("/etc/passwd", "utf8")).toBe(before)
  })

  test("210: what is written beside the workspace, in the private /tmp, does not stay", async () => {
    await run(world, "echo x > ../made; echo x > ../../made")
    expect(fs.existsSync(path.join(world.folder, "made"))).toBe(false)
    expect(fs.existsSync(path.join(world.folder, "../made"))).toBe(false)
  })

  test("210: ~/.bashrc is written only in a home of its own, and secrets are not there", async () => {
    const result = await run(world, 'echo x >> ~/.bashrc; cat ~/.bashrc; cat ~/.ssh/id_rsa; ls -A "$HOME/.."')
    expect(result.head).toContain("x\n")
    expect(result.head).not.toContain("the key")
    expect(fs.readFileSync(path.join(world.home, ".bashrc"), "utf8")).toBe("# mine")
  })

  test("210: a protected name that is a link shows nothing of what lies outside", async () => {
    const links = { ".vscode": "../home/.ssh", ".env": "../home/.ssh/id_rsa", ".mcp.json": "../home/none" }
    for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, path.join(world.root, name))
    const bounds = { ...world, network: "none" as const, protected: [".git", ...Object.keys(links)] }
    const { text } = await run(world, "cat .vscode/id_rsa .env .mcp.json ../home/.ssh/id_rsa; ls ../home", {
      bounds,
    })
    for (const name of Object.keys(links)) fs.rmSync(path.join(world.root, name))
    expect(text).not.toContain("the key")
    expect(text.match(/No such file/g)).toHaveLength(4)
  })

  test("210: a protected name that is a link is that link again when the command is over", async () => {
    const [link, target] = [path.join(world.root, ".claude"), path.join(world.root, "shared")]
    fs.mkdirSync(target)
    fs.symlinkSync("shared", link)
    const bounds = { ...world, network: "none" as const, protected: [".git", ".claude"] }
    const { text, replaced } = await run(
      world,
      "echo x > .claude/a; rm .claude; mkdir .claude; echo evil > .claude/settings.json; echo made",
      { bounds },
    )
    const [aside] = replaced!
    expect({ text, link: fs.readlinkSync(link), files: fs.readdirSync(target) }).toEqual({
      text: expect.stringMatching(/Read-only file system\nmade\n$/),
      link: "shared",
      files: [],
    })
    expect(fs.readFileSync(path.join(aside!, "settings.json"), "utf8")).toBe("evil\n")
    for (const place of [link, target, aside!]) fs.rmSync(place, { recursive: true })
  })

  test("210: a .git that names a repository shows it only where that one knows of it", async () => {
    const other = path.join(world.home, "other")
    const place = path.join(other, ".git", "worktrees", "mine")
    fs.mkdirSync(place, { recursive: true })
    fs.writeFileSync(path.join(other, ".git", "config"), "theirs")
    const root = path.join(world.folder, "claimed")
    fs.mkdirSync(root)
    const shown = async (text: string) => {
      fs.writeFileSync(path.join(root, ".git"), text)
      const bounds = { root, home: world.home, network: "none" as const, protected: [".git"] }
      return (await run({ root, home: world.home }, `cat ${other}/.git/config`, { bounds })).text
    }
    expect(await shown(`gitdir: ${other}/.git\n`)).toMatch(/No such file/)
    expect(await shown(`gitdir: ${place}\n`)).toMatch(/No such file/)
    fs.writeFileSync(path.join(place, "gitdir"), `${root}/.git\n`)
    expect(await shown(`gitdir: ${place}\n`)).toBe("theirs")
    const module = path.join(other, ".git", "modules", "sub")
    fs.mkdirSync(module, { recursive: true })
    expect(await shown(`gitdir: ${module}\n`)).toMatch(/No such file/)
    fs.writeFileSync(path.join(module, "config"), `[core]\n\tworktree = ${path.relative(module, root)}\n`)
    expect(await shown(`gitdir: ${module}\n`)).toBe("theirs")
  })

  test("what guards a missing file is no news to git", async () => {
    const root = path.join(world.folder, "repository")
    fs.mkdirSync(root)
    git(root, "init", "--quiet")
    const { text } = await run({ ...world, root }, "ls -d .mcp.json && git status --porcelain", {})
    expect(text).toBe(".mcp.json\n")
  })

  test("210: where the home folder is worked in, its secrets stay hidden", async () => {
    const result = await run({ root: world.home, home: world.home }, "cat .bashrc .ssh/id_rsa; ls -A .ssh")
    expect(result.head).toContain("# mine")
    expect(result.head).not.toContain("the key")
  })

  test("210: what is missing is guarded for two commands at a time, and gone after them", async () => {
    const both = await Promise.all([
      run(world, "sleep 0.3; echo x > .cadre/made || echo blocked"),
      run(world, "sleep 0.8; echo x > .cadre/made || echo blocked"),
    ])
    for (const { head } of both) expect(head).toContain("blocked")
    expect(fs.existsSync(path.join(world.root, ".cadre"))).toBe(false)
  })

  test("210, 211: no network, whatever the child sets", async () => {
    const server = net.createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as net.AddressInfo
    const program = `
      (exec 3<>/dev/tcp/127.0.0.1/${port}) && echo reached tcp
      (exec 3<>/dev/tcp/::1/${port}) && echo reached ipv6
      (exec 3<>/dev/udp/8.8.8.8/53 && echo x >&3) && echo reached udp
      unset http_proxy https_proxy; export http_proxy=http://127.0.0.1:${port}
      for program in "curl -m 2 http://127.0.0.1:${port}" "wget -T 2 -qO- http://127.0.0.1:${port}" "getent hosts example.com" "ping -c 1 -W 1 127.0.0.2" "nc -w 2 127.0.0.1 ${port}"; do
        command -v \${program%% *} >/dev/null && timeout 3 $program && echo reached $program
      done
      node -e 'require("net").connect(${port}, "127.0.0.1").on("connect", () => console.log("reached node")).on("error", () => {})'
      ls /sys/class/net`
    const result = await run(world, program, { timeout: 25_000 })
    server.close()
    expect(
      result.head.split("\n").filter((line) => line.startsWith("reached") && !line.includes("127.0.0.2")),
    ).toEqual([])
  })

  test("210: sockets of the host are not reached", async () => {
    const socket = path.join(world.home, "agent.sock")
    const server = net.createServer().listen(socket)
    await new Promise((resolve) => server.once("listening", resolve))
    const result = await run(
      world,
      `ls ${path.dirname(socket)} /run/docker.sock /var/run/docker.sock; ls -A /run /tmp; echo "agent $SSH_AUTH_SOCK"`,
      {},
    )
    server.close()
    expect(result.head).not.toContain("agent.sock\n")
    expect(result.head).toContain("agent \n")
  })

  test("209: nothing is seen of the processes outside", async () => {
    const command = `cat /proc/${process.pid}/environ; cat /proc/$PPID/environ | tr '\\0' '\\n' | grep -c OPENAI; ls -d /proc/[0-9]* | wc -l; ps e 2>/dev/null | grep -c vitest; kill -0 ${process.pid} || echo unseen`
    process.env.OPENAI_API_KEY = "sk-test-0123456789abcdef"
    const result = await run(world, command)
    delete process.env.OPENAI_API_KEY
    expect(result.head).toContain("unseen")
    expect(result.head).toMatch(/No such file|cannot access/)
    const [, count] = result.head
      .split("\n")
      .filter((line) => /^\d+$/.test(line))
      .map(Number)
    expect(count).toBeLessThan(10)
  })

  test("no new rights: no capability, no set-uid", async () => {
    const result = await run(world, "grep -E 'CapEff|NoNewPrivs' /proc/self/status")
    expect(result.head).toMatch(/CapEff:\s+0000000000000000/)
    expect(result.head).toMatch(/NoNewPrivs:\s+1/)
  })

  test("210, 212: a workspace that is the whole system has no sandbox, and is not said to have one", async () => {
    const command = { command: "echo ran", cwd: "/", environment: {}, timeout: 5_000 }
    const bounds = { root: "/", home: world.home, network: "none" as const }
    expect(await runCommand({ ...command, bounds, sandbox: "required" })).toEqual({
      refused: expect.stringMatching(/^Not run: .*workspace is \/, the whole/),
    })
    expect(await runCommand({ ...command, bounds, sandbox: "preferred" })).toMatchObject({
      head: "ran\n",
      unsandboxed: expect.stringContaining("the workspace is /"),
    })
  })

  test("the network is there when it is granted", async () => {
    const server = net.createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1")
    await new Promise((resolve) => server.once("listening", resolve))
    const { port } = server.address() as net.AddressInfo
    const result = await run(world, `exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`, {
      bounds: { root: world.root, home: world.home, network: "full" },
    })
    server.close()
    expect(result.head).toBe("reached")
  })

  test("214: what a command links to outside is not written through", async () => {
    const target = path.join(world.folder, "outside")
    fs.writeFileSync(target, "mine")
    await run(world, `ln -s ${target} leads && echo evil > leads`)
    expect(fs.readFileSync(target, "utf8")).toBe("mine")
  })
})

describe("212: without bubblewrap", () => {
  const missing = { problem: "bubblewrap is not installed" }
  const input = () => ({
    command: "echo ran",
    cwd: world.root,
    environment: { PATH: "/usr/bin:/bin", CADRE_RUN: "test:212" },
    bounds: { root: world.root, home: world.home, network: "none" as const },
    timeout: 5_000,
    availableSandbox: missing,
  })

  test("required: it refuses and says what to do", async () => {
    const result = await runCommand({ ...input(), sandbox: "required" })
    expect(result).toEqual({
      refused: expect.stringMatching(/sandbox is required, but bubblewrap is not installed/),
    })
  })

  test("preferred: it runs, and says that there was none", async () => {
    const result = await runCommand({ ...input(), sandbox: "preferred" })
    expect(result).toMatchObject({ head: "ran\n", unsandboxed: "bubblewrap is not installed" })
  })

  test.skipIf(sandboxMissing)("a sandbox that cannot be made is no sandbox: nothing runs", async () => {
    const bounds = { ...input().bounds, writable: [path.join(world.root, "not-there")] }
    const result = await runCommand({
      ...input(),
      bounds,
      availableSandbox: await findSandbox(),
      sandbox: "preferred",
    })
    expect(result).toEqual({ refused: expect.stringContaining("could not be set up") })
  })
})

test("213: a bwrap in the workspace or on the PATH is not used", async () => {
  const fake = path.join(world.root, "bwrap")
  fs.writeFileSync(fake, "#!/bin/sh\necho fake; exit 0\n", { mode: 0o777 })
  fs.chmodSync(fake, 0o777)
  expect(await searchSandbox([fake])).toEqual({ problem: expect.stringContaining("not installed") })
  const before = process.env.PATH
  process.env.PATH = `${world.root}:${before}`
  const found = await findSandbox()
  process.env.PATH = before
  if ("path" in found) expect(found.path).toMatch(/^\/usr\/(local\/)?bin\/bwrap$/)
})
