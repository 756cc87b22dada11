import { describe, expect, test } from "vitest"
import { findShellAccesses } from "../../src/world/shell/shell-accesses.ts"
import { touchedBy } from "./kit.ts"

/** What a command is there to change, and what it writes besides. */
const changedBy = async (command: string) =>
  (await touchedBy(command)).filter((touched) => !touched.startsWith("read ") && !touched.startsWith("host "))

const all = "change /no/workspace/**"

describe("what changes files without naming them is told to change any file there", () => {
  test.each([
    "git checkout .",
    "git checkout -f",
    "git checkout main",
    "git checkout HEAD~1 -- ':/'",
    "git checkout -- '*.ts'",
    "git checkout -b x origin/main",
    "git checkout -B x main",
    "git restore .",
    "git restore -s HEAD~2 .",
    "git restore --staged --worktree .",
    "git restore --pathspec-from-file=list",
    "git reset --hard",
    "git reset --har HEAD~1",
    "git reset --merge",
    "git reset --keep main",
    "git stash",
    "git stash -u",
    "git stash push -m message",
    "git stash pop",
    "git stash apply stash@'{1}'",
    "git stash branch x",
    "git apply x.patch",
    "git apply --stat --apply x.patch",
    "git apply < x.patch",
    "git am x.patch",
    "git clean -fd",
    "git clean -fdx -e keep",
    "git merge main",
    "git merge --abort",
    "git pull",
    "git pull --rebase",
    "git rebase main",
    "git cherry-pick abc",
    "git revert abc",
    "git switch main",
    "git switch -c x main",
    "git switch -",
    "git read-tree -u -m HEAD",
    "git checkout-index -a -f",
    "git bisect good",
    "git submodule update --init",
    "git sparse-checkout set src",
    "git rm -r .",
    "git rm '*.js'",
    "git -C . checkout .",
    "git -c color.ui=never stash",
    "git format-patch HEAD~3",
    "git clone https://a.com/b",
    "patch -p1 < x.diff",
    "patch -p1 -i x.diff",
    "unzip a.zip",
    "unzip -o a.zip 'x/*'",
    "7z x a.7z",
    "cpio -i < a.cpio",
    "rsync -a other/ .",
    "rsync -a --delete host:/x .",
    "scp host:x .",
    "split big",
    "npm install",
    "npm i left-pad",
    "yarn add x",
    "timeout 5 git stash",
    "sudo git clean -f",
    "bash -c 'git reset --hard'",
    "true && git checkout .",
  ])("%s", async (command) => {
    expect(await changedBy(command)).toContain(all)
  })
})

describe("what names the files it changes is told to change those", () => {
  test.each([
    ["git checkout -- src/a.ts", ["change /no/workspace/src/a.ts/**"]],
    ["git checkout main -- src/a.ts b", ["change /no/workspace/src/a.ts/**", "change /no/workspace/b/**"]],
    ["git restore src", ["change /no/workspace/src/**"]],
    ["git restore --source=HEAD -- src", ["change /no/workspace/src/**"]],
    ["git stash push -- src", ["change /no/workspace/src/**"]],
    ["git clean -f build", ["change /no/workspace/build/**"]],
    ["git mv a b", ["change /no/workspace/a/**", "change /no/workspace/b/**"]],
    ["git rm a", ["change /no/workspace/a/**"]],
    ["git -C sub rm a", ["change /no/workspace/sub/a/**"]],
    ["git merge-file a b c", ["change /no/workspace/a/**"]],
    ["git checkout-index --prefix=../out/ -a", ["write /no/out/**", all]],
    ["git -C ../other stash", ["write /no/other/**"]],
    ["patch a.c x.diff", ["change /no/workspace/a.c", all]],
    ["patch -d sub -p1 -i x.diff -r ../../rejects", ["write /no/rejects", "change /no/workspace/sub/**"]],
    ["unzip a.zip -d out", ["change /no/workspace/out/**"]],
    ["unzip a.zip -d /other", ["write /other/**"]],
    ["rsync -a x/ y/", ["change /no/workspace/y/**"]],
    ["rsync -a --remove-source-files x y", ["change /no/workspace/x/**", "change /no/workspace/y/**"]],
    ["rsync -a x host:y", []],
    ["rsync -a x /other", ["write /other/**"]],
    ["scp x y", ["change /no/workspace/y/**"]],
    ["gzip src/a", ["change /no/workspace/src/a/**", "change /no/workspace/src/**"]],
    ["zip -r out.zip src", ["change /no/workspace/out.zip"]],
    ["zip -m out.zip src", ["change /no/workspace/out.zip", "change /no/workspace/src/**"]],
    ["split big parts/x", ["change /no/workspace/parts/**"]],
    ["find src -name '*.o' -delete", ["write /no/workspace/src/**"]],
    ["tar xf a.tar", ["write /no/workspace/**"]],
    ["tar xf a.tar -C out", ["write /no/workspace/out/**"]],
    ["sed -i s/a/b/ x", ["write /no/workspace/x"]],
    ["sed -i.bak s/a/b/ x", ["write /no/workspace/x", "write /no/workspace/x.bak"]],
    ["sed -il s/a/b/ x", ["write /no/workspace/x", "write /no/workspace/xl"]],
    ["sed -Ei.o s/a/b/ x", ["write /no/workspace/x", "write /no/workspace/x.o"]],
    ["sed --in-place=.o s/a/b/ x", ["write /no/workspace/x", "write /no/workspace/x.o"]],
  ])("%s", async (command, expected) => {
    expect(await changedBy(command)).toEqual(expected)
  })
})

test.each([
  "git status",
  "git add .",
  "git commit -m x",
  "git branch x",
  "git checkout -b x",
  "git switch -c x",
  "git switch --create x",
  "git fetch",
  "git push",
  "git tag v1",
  "git reset",
  "git reset HEAD a",
  "git reset --soft HEAD~1",
  "git restore --staged a",
  "git rm --cached a",
  "git stash list",
  "git stash show",
  "git stash drop",
  "git apply --check x.patch",
  "git apply --stat x.patch",
  "git clean -n",
  "git clean -fdn",
  "git log --oneline",
  "git diff --stat",
  "git submodule status",
  "git merge-file -p a b c",
  "patch --dry-run -p1 -i x.diff",
  "unzip -l a.zip",
  "gzip -c a",
  "npm ls",
  "npm view x",
])("what only looks changes nothing: %s", async (command) => {
  expect(await changedBy(command)).toEqual([])
})

test("what writes wherever an option or an archive says is not plain", async () => {
  for (const command of [
    "sed -i../x/ s/a/b/ f",
    "sed --in-place='/tmp/*' s/a/b/ f",
    "tar xPf a.tar",
    "tar -x --absolute-names -f a.tar",
    "unzip -: a.zip",
    "cpio -i < a.cpio",
    "git apply --unsafe-paths x.patch",
    "patch -B ../x/ -p1 -i x.diff",
  ])
    expect([
      command,
      (await findShellAccesses(command, { cwd: "/no", home: "/no" })).map(({ type }) => type),
    ]).toEqual([command, expect.arrayContaining(["unclear"])])
})
