// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "model/json/packfile.h"
#include "model/openapi/description.h"

#include <QFileInfo>

namespace instar {

namespace {

struct ImportOptions
{
    QString description, pack;
    bool allowOutside = false;
};

Exit importDescription(const ImportOptions &given)
{
    const DescriptionRead read = valueOf(loadDescription(
        given.description, given.allowOutside ? OutsideFiles::Read : OutsideFiles::Refused));
    const DescribedPack made = packOf(read.description, QFileInfo(given.description).fileName());
    printTo(given.pack, writePack(made.pack));
    showDiagnostics(given.description, read.remarks + made.remarks);
    return Exit::Fine;
}

} // namespace

Command importCommand()
{
    static ImportOptions given;
    return { "import",
        "Make a pack from an OpenAPI 3 or Swagger 2 description; stderr lists what is guessed",
        { { "SPEC", &given.description, "The description, in JSON or YAML" },
            { .name = "-o,--output",
                .target = &given.pack,
                .help = "The pack to write; - is the standard output",
                .value = "PACK",
                .isRequired = true },
            { "--allow-outside", &given.allowOutside,
                "Also read files outside the description's folder that it refers to" } },
        [] { return importDescription(given); } };
}

} // namespace instar
