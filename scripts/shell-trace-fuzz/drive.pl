# Runs command lines, each in a world of its own. The list that it reads is: folder NUL line NUL pattern NUL, repeated.
#   perl drive.pl make LIST   copies each pattern to the folder above its folder
#   perl drive.pl run LIST    runs the lines, a few at a time
# That a process changes to its folder shows in the trace which command it belongs to.
use strict;
use warnings;
use Errno;
use File::Find;

my ( $mode, $list ) = @ARGV;
my ( %started, %read );
my @words = do { local ( @ARGV, $/ ) = ($list); split /\0/, <> };

# The names, modes, bytes and times of a pattern.
sub entries {
    my ($pattern) = @_;
    my @entries;
    find(
        {
            no_chdir => 1,
            preprocess => sub { sort @_ },
            wanted => sub {
                my $name = substr $File::Find::name, length $pattern;
                my ( $mode, $time ) = ( lstat $File::Find::name )[ 2, 9 ];
                my $bytes = -l _ ? readlink $File::Find::name : -f _ ? slurp($File::Find::name) : undef;
                push @entries, [ $name, $mode, $bytes, $time ];
            }
        },
        $pattern
    );
    return \@entries;
}

sub make {
    while ( my ( $folder, $line, $pattern ) = splice @words, 0, 3 ) {
        my $place = $folder =~ s{/[^/]*$}{}r;
        for ( @{ $read{$pattern} //= entries($pattern) } ) {
            my ( $name, $mode, $bytes, $time ) = @$_;
            next if $name =~ m{^/w/\.git} && $line !~ /^git /;
            if ( !defined $bytes ) { mkdir "$place$name" or die "$place$name: $!" }
            elsif ( ( $mode & 0170000 ) == 0120000 ) { symlink $bytes, "$place$name" or die "$place$name: $!" }
            else {
                open my $file, '>', "$place$name" or die "$place$name: $!";
                print $file $bytes;
                close $file;
                chmod $mode & 07777, "$place$name" if $mode & 0100;
                utime $time, $time, "$place$name";
            }
        }
    }
}

sub slurp {
    open my $file, '<:raw', $_[0] or die "$_[0]: $!";
    local $/;
    return scalar <$file> // '';
}

sub run {
    # Some programs catch the signal that ends what would wait for ever.
    $SIG{ALRM} = sub {
        for my $pid ( keys %started ) { kill 'KILL', -$pid if time - $started{$pid} > 3 }
        alarm 1;
    };
    alarm 1;
    while ( @words || %started ) {
        while ( @words && keys %started < 3 ) { start( splice @words, 0, 3 ) }
        my $ended = wait;
        next if $ended < 0 && $!{EINTR};
        last if $ended < 0;
        kill 'KILL', -$ended;
        delete $started{$ended};
    }
}

sub start {
    my ( $folder, $line ) = @_;
    my $pid = fork;
    die "fork: $!" unless defined $pid;
    if ($pid) {
        $started{$pid} = time;
        return;
    }
    setpgrp 0, 0;
    open STDIN,  '<', '/dev/null';
    # It outlives exec, and ends what would wait for ever.
    alarm 2;
    chdir $folder or exit 126;
    exec 'bash', '--noprofile', '--norc', '-c', $line;
    exit 127;
}

if ( $mode eq 'make' ) { make() }
else                   { run() }
