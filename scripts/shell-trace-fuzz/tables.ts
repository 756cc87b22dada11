import type { FuzzOption } from "./vocabulary.ts"

interface ListedTable {
  readonly words: readonly string[]
  readonly options: readonly FuzzOption[]
  readonly operands: readonly { readonly use: string; readonly many: "one" | "rest" }[]
}

/** Every known program. */
export function tables(): readonly ListedTable[] {
  return names
    .split(/\s+/)
    .map((name) => ({ words: name.split(":"), options: [], operands: [{ use: "read", many: "rest" }] }))
}

const names = `cat tac nl wc od xxd hexdump strings file stat md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum
  base32 base64 cmp comm join paste cut fold fmt column rev expand unexpand zcat bzcat xzcat more readlink realpath
  ls dir vdir pr shuf head tail du diff touch mkdir rmdir unlink mkfifo truncate shred tee chmod chown chgrp rm cp mv install ln
  date seq basename dirname printenv df id uname tr numfmt tsort expr grep egrep rg sed awk sort uniq jq less man find dd tar
  curl wget patch unzip zip gzip gunzip bzip2 xz split csplit env timeout nice nohup xargs git:log git:diff git:status git:blame git:grep git:show
  git:apply git:archive git:add git:rm git:commit git:branch git:tag git:checkout git:restore git:stash git:interpret-trailers git:cat-file git:hash-object`
