// SPDX-License-Identifier: Apache-2.0
// A fuzzer's short run in a build without libFuzzer, `replay plantuml FOLDER...`: it takes the
// files of the folders that are given, and then as many damaged ones as `--mutants N` asks for, the
// same each time.

#include "tests/fuzz/subjects.h" // made by tests.cmake: the fuzzers and their names

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace {

using Bytes = std::vector<std::uint8_t>;

Fuzzer *fuzzer = nullptr;
std::string finding;
Bytes current;

/// What was being read goes into a file, which libFuzzer's programs take, too.
void keepInput(int signal)
{
    if (std::FILE *const file = std::fopen(finding.c_str(), "wb")) {
        std::fwrite(current.data(), 1, current.size(), file);
        std::fclose(file);
    }
    std::fprintf(stderr, "the input is kept in %s\n", finding.c_str());
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void take(const Bytes &bytes)
{
    current = bytes;
    fuzzer(current.data(), current.size());
}

std::vector<Bytes> contentsOf(const std::vector<std::filesystem::path> &folders)
{
    std::vector<std::filesystem::path> files;
    for (const std::filesystem::path &folder : folders) {
        for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.is_regular_file())
                files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    std::vector<Bytes> contents;
    for (const std::filesystem::path &file : files) {
        std::ifstream stream(file, std::ios::binary);
        const std::string bytes(std::istreambuf_iterator<char>(stream), {});
        contents.emplace_back(bytes.begin(), bytes.end());
    }
    return contents;
}

/// Damages inputs: bytes are changed, pieces are left out, said twice or come from elsewhere.
class Mutator
{
public:
    explicit Mutator(const std::vector<Bytes> &seeds) : m_seeds(seeds) { }

    Bytes mutant()
    {
        Bytes bytes = m_seeds[below(m_seeds.size())];
        for (std::size_t i = 1 + below(5); i > 0; --i)
            damage(bytes);
        return bytes;
    }

private:
    std::size_t below(std::size_t end) { return end == 0 ? 0 : m_random() % end; }

    void damage(Bytes &bytes)
    {
        const Bytes &other = below(2) == 0 ? bytes : m_seeds[below(m_seeds.size())];
        const std::size_t from = below(other.size()), at = below(bytes.size() + 1);
        const std::size_t length = std::min(other.size() - from, 1 + below(40));
        const Bytes piece(
            other.begin() + std::ptrdiff_t(from), other.begin() + std::ptrdiff_t(from + length));
        switch (below(4)) {
        case 0:
            if (at < bytes.size())
                bytes[at] = std::uint8_t(below(256));
            break;
        case 1:
            bytes.erase(bytes.begin() + std::ptrdiff_t(at),
                bytes.begin() + std::ptrdiff_t(std::min(at + length, bytes.size())));
            break;
        default:
            bytes.insert(bytes.begin() + std::ptrdiff_t(at), piece.begin(), piece.end());
        }
    }

    const std::vector<Bytes> &m_seeds;
    std::minstd_rand m_random { 20261122 };
};

} // namespace

int main(int argc, char **argv)
{
    const std::string name = argc > 1 ? argv[1] : "";
    for (const auto &[subject, one] : subjects)
        fuzzer = subject == name ? one : fuzzer;
    if (!fuzzer) {
        std::fputs("usage: replay SUBJECT FOLDER... [--mutants N]; the subjects:\n", stderr);
        for (const auto &[subject, one] : subjects)
            std::fprintf(stderr, "  %s\n", subject.data());
        return 2;
    }
    finding = "replay-" + name + "-finding";
    std::vector<std::filesystem::path> folders;
    int mutants = 0;
    for (int i = 2; i < argc; ++i) {
        if (std::strcmp(argv[i], "--mutants") == 0 && i + 1 < argc)
            mutants = std::atoi(argv[++i]);
        else
            folders.emplace_back(argv[i]);
    }
    std::signal(SIGABRT, keepInput);
    std::signal(SIGSEGV, keepInput);
    const std::vector<Bytes> seeds = contentsOf(folders);
    for (const Bytes &seed : seeds)
        take(seed);
    std::printf("%zu inputs\n", seeds.size());
    if (seeds.empty())
        return 1;
    Mutator mutator(seeds);
    for (int i = 0; i < mutants; ++i)
        take(mutator.mutant());
    std::printf("%d mutants\n", mutants);
    return 0;
}
