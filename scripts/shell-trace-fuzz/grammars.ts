/** Words of the languages that some programs have for their operands. */
export const grammars: Readonly<Record<string, readonly string[]>> = {
  find: words(`. sub ../o -name *.txt -type f d -maxdepth 1 -mindepth -newer a.txt -size +1k -exec cat {} ; + -execdir
    -ok -delete -fprint out.txt -fprintf %p -fls -fprint0 -print -print0 -printf -ls -prune -o -a ! ( ) -path -iname -regex
    -samefile secret.txt -newermt -anewer -cnewer -files0-from names0.txt -perm 644 -L -H -P -D tree -O2 -quit -empty -user root
    -mtime -1 -lname -inum -links 1 -depth -xdev -follow -daystart -regextype posix-extended -readable -true -false -not -and`),
  dd: words(`if=a.txt of=out.txt if=secret.txt of=keep.txt bs=1 count=1 skip=1 seek=1 conv=notrunc conv=ucase,excl status=none
    iflag=fullblock oflag=append if=sub of=../o/x.txt --if=a.txt of= if=`),
  test: words(
    "-f a.txt -d sub -e = == != -z -n a -a -o ! ( ) 1 -eq 2 -nt b.txt -ef -t -v -r -w -x -L -s -gt",
  ),
  "[": words("-f a.txt -d sub -e = != -z -n a -a -o ! 1 -eq 2 -nt b.txt ]"),
  expr: words("1 + 2 a : b length substr index match ( ) | & < = -1 a.txt"),
  tar: words(`cf xf tf czf xzf rf uf xvf a.tar a.tgz out.tar a.txt sub secret.txt -C sub .. -f -x -t -c -z -v -r -T names.txt
    --exclude=b.txt -O -k --wildcards -X names.txt --files-from=names.txt -g snap --strip-components=1 -P -p --totals
    --directory=sub --one-top-level --one-top-level=dir -h --transform=s/a/b/ --add-file=secret.txt -N a.txt -V x`),
  sed: words(`p 1p s/one/uno/ s/one/uno/w\\ written.txt 1,2d $p r\\ secret.txt R\\ secret.txt w\\ keep.txt 1e\\ date e y/a/b/ = -n -e -f
    script.sed -i -i.bak -s a.txt secret.txt -E --expression=p --in-place --in-place=.o W\\ keep.txt 1!d s/x/y/e s/a/b/gw\\ k.txt
    1i\\ x a\\ x c\\ x {p;d} q Q x :a ba F l 0~2p /one/r\\ secret.txt --posix --sandbox -z --follow-symlinks`),
  awk: words(`{print} {print\\ $1} NR==1 {print>"out.txt"} {print\\ |\\ "cat"} BEGIN{getline<"secret.txt";print} {system("date")}
    BEGIN{while((getline\\ l<"secret.txt")>0)print\\ l} -F, -f prog.awk -v x=1 x=secret.txt a.txt secret.txt -- END{print\\ NR}
    BEGIN{ARGV[1]="secret.txt";ARGC=2}1 {printf\\ "%s",$1} -W version`),
  jq: words(`. .a .[] keys a.txt data.json -r -n -c -s --arg x y --args --jsonargs -f prog.awk --slurpfile v secret.txt --rawfile
    v secret.txt --argjson v 1 input inputs -R --raw-input $__loc__ env input_filename -L sub --tab --indent 3 --seq -e
    --from-file names.txt include"m"; import"m"as\\ m; --stream`),
  xargs: words(
    "cat rm echo -n1 -0 -I {} -a names.txt touch --arg-file=names.txt -r -t -L 1 -P 2 -d , -E x sh -c ls",
  ),
  env: words(
    "-i A=1 cat a.txt -u HOME -C sub --chdir=.. -S cat\\ a.txt ls -0 -v -- touch out.txt --block-signal --debug rm",
  ),
  timeout: words(
    "1 1s -s KILL -k 1 cat a.txt touch out.txt --signal=9 rm --foreground -v --preserve-status ls",
  ),
  nice: words("-n 5 -5 cat a.txt --adjustment=3 touch out.txt rm ls --"),
  nohup: words("cat a.txt touch out.txt -- ls"),
  stdbuf: words("-o0 -oL -i 0 -e L cat a.txt --output=0 touch out.txt ls"),
  setsid: words("-w cat a.txt -f -c touch out.txt --wait ls"),
  ionice: words("-c 2 -n 3 cat a.txt -t touch out.txt -p 1 ls"),
  time: words("-p cat a.txt touch out.txt ls -v -o out.txt -f %e"),
  flock: words("lockfile sub -n -w 1 -c cat\\ a.txt cat a.txt touch out.txt 9 -u -E 3 a.txt ls"),
  strace: words("-o out.txt -f -e trace=open -c cat a.txt -p 1 -s 9 touch -E A=1 -O 3 -ff -u root"),
  taskset: words("1 -c 0 cat a.txt -p -a 3 touch out.txt"),
  chrt: words("-o 0 -b cat a.txt -p 1 -m touch"),
  command: words("-v -V -p cat a.txt touch out.txt ls --"),
  builtin: words("echo a pwd cd sub printf -- test"),
  exec: words("-a n cat a.txt -c -l touch out.txt ls"),
  ps: words("aux -ef -o pid,comm --sort=-rss -p 1 e f l axo u -C bash --forest -L"),
  seq: words("1 10 -s , -w -f %g 2 3 --equal-width"),
  date: words(
    "+%Y -d tomorrow -r a.txt --reference=secret.txt -f names.txt --file=secret.txt -u -s 2020-01-01 -I -R --rfc-3339=date",
  ),
  chmod: words(
    "644 u+x -R a.txt sub keep.txt --reference=secret.txt -x +w a=r -v -c -f --recursive ../o/x.txt link.txt",
  ),
  chown: words(
    "root :root 0:0 -R a.txt sub keep.txt --reference=secret.txt --from=root -h -v --no-dereference",
  ),
  chgrp: words("root 0 -R a.txt sub keep.txt --reference=secret.txt -h -v"),
  touch: words(
    "-m keep.txt -a -c -d now -t 202001010000 -r secret.txt --reference=secret.txt new.txt --time=mtime -h",
  ),
  split: words(
    "-l 1 -b 2 a.txt part_ sub/p --filter=cat>$FILE -n 2 -d --additional-suffix=.x -a 3 --verbose - -x -e -u",
  ),
  csplit: words("a.txt 2 /two/ {*} -f part -b %d -n 2 -k -s -z --prefix=sub/x"),
  curl: words(`file:///etc/hostname http://localhost:1/ https://example.invalid/x -o out.txt -O -d @secret.txt -T a.txt -K names.txt
    --stderr keep.txt --trace keep.txt -D keep.txt -c jar -b secret.txt -s -S -L -X POST -H a:b -F x=@secret.txt --data-urlencode
    x@secret.txt -u a:b --url --json @secret.txt -e x -A y -m 1 --netrc-file secret.txt --cacert secret.txt -w %{http_code}
    --output-dir sub --create-dirs --etag-save keep.txt --hsts keep.txt --libcurl keep.txt -H @secret.txt --unix-socket secret.txt -I`),
  wget: words(`http://localhost:1/ https://example.invalid/x -O out.txt -o keep.txt -a keep.txt -i names.txt -P sub -q -nv --post-file=secret.txt
    --save-cookies=keep.txt --load-cookies=secret.txt -e use_askpass=x --body-file=secret.txt -S -T 1 -t 1 --rejected-log=keep.txt
    --ca-certificate=secret.txt -x -N -c --input-file=secret.txt --base=http://localhost:1/ -r --warc-file=keep`),
  ssh: words(
    "localhost -p 1 -i secret.txt -F names.txt -E keep.txt -v -o BatchMode=yes -o ProxyCommand=date -l a -T ls -J x -N -f",
  ),
  scp: words(
    "a.txt localhost:x localhost:y out.txt -P 1 -i secret.txt -F names.txt -q -r -o BatchMode=yes -S ./run.sh",
  ),
  patch: words(
    "-p1 -i fix.patch -d sub -o out.txt -R --dry-run -b -z .x -r rej.txt a.txt fix.patch -s -N -E -B pre/ -t -f",
  ),
  unzip: words("a.zip -d sub -l -p -o -q -n a.txt -x -j -t -v -Z -c -f -u"),
  zip: words(
    "out.zip a.txt sub -r -q -m -j -@ -T -d -u -x secret.txt a.zip -O other.zip -i -b sub -9 --out x.zip -TT ls",
  ),
  git: words("--no-pager -C sub -c user.name=x -P --version log status diff"),
  "git VERB":
    words(`HEAD HEAD~1 HEAD^ other main tagged other..main main...other HEAD:a.txt :changed.txt HEAD^{tree} @{-1} refs/heads/other
    -- . changed.txt staged.txt longer.txt sub/gone.txt new.staged.txt sub ../w/a.txt :(exclude)sub :/first :!b.txt -m x -q -n -f`),
  man: words("ls ./a.txt 1 -w -k -f -l secret.txt -P cat -C names.txt --path -a cat"),
  less: words("a.txt -N -S -o keep.txt -O keep.txt +G -k names.txt -T secret.txt --quit-if-one-screen -F -X"),
  read: words("x -r -p y -t 1 -n 1 -a z -u 0 -d ,"),
  export: words("A=1 B -p -n PATH=x -f"),
  cd: words("sub .. -P -L -- - ../o linkdir ~"),
  set: words("-e -u -x -o pipefail -- a +e -v"),
  printf: words("%s\\\\n a -v x %d 1 -- %q"),
  kill: words("-l -0 99999 -s TERM -9 -L 15"),
  busybox: words("cat a.txt ls touch out.txt sh -c --list wget"),
  bash: words(
    "-c cat\\ a.txt -n run.sh --norc -x a.txt -e --version -l --rcfile secret.txt --init-file -o pipefail -s",
  ),
  sh: words("-c cat\\ a.txt run.sh -e -x a.txt --version -s -n"),
}

/** Words between blanks; a blank with a backslash before it is part of a word. */
function words(text: string): readonly string[] {
  return text.split(/(?<!\\)\s+/).map((word) => word.replaceAll("\\ ", " ").replaceAll("\\\\", "\\"))
}
