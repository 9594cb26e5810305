class Meshwright < Formula
  desc "Read, check, convert and edit W3D and MDX/MDL game models without losing a byte"
  homepage "https://github.com/meshwright/meshwright"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/meshwright/meshwright/releases/download/v@VERSION@/meshwright-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256:aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/meshwright/meshwright/releases/download/v@VERSION@/meshwright-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256:x86_64-apple-darwin@"
    end
  end
  on_linux do
    on_arm do
      url "https://github.com/meshwright/meshwright/releases/download/v@VERSION@/meshwright-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "https://github.com/meshwright/meshwright/releases/download/v@VERSION@/meshwright-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256:x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "meshwright"
    man1.install Dir["man/man1/*.1"]
    bash_completion.install "completions/meshwright.bash" => "meshwright"
    zsh_completion.install "completions/_meshwright"
    fish_completion.install "completions/meshwright.fish"
  end

  test do
    system bin/"meshwright", "demo", "samples"
    assert_predicate testpath/"samples/mwcrate.glb", :exist?
  end
end
