// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inputfiles.h"
#include "model/json/packfile.h"
#include "model/openapi/descriptionpack.h"
#include "model/openapi/descriptionreader.h"

#include <QFileInfo>

namespace instar {

namespace {

Exit importDescription(const Arguments &arguments)
{
    const DescriptionRead read = valueOf(loadDescription(
        arguments.input, arguments.allowOutside ? OutsideFiles::Read : OutsideFiles::Refused));
    const DescribedPack made = packOf(read.description, QFileInfo(arguments.input).fileName());
    printTo(arguments.output, writePack(made.pack));
    showDiagnostics(arguments.input, read.remarks + made.remarks);
    return Exit::Fine;
}

} // namespace

Command importCommand()
{
    return { "import",
        "Make a pack of an OpenAPI 3 or Swagger 2 description; guesses are told on stderr",
        { { "SPEC", &Arguments::input, "The description, in JSON or YAML" },
            { .name = "-o,--output",
                .target = &Arguments::output,
                .help = "The pack to write; -: the standard output",
                .value = "PACK",
                .isRequired = true },
            { "--allow-outside", &Arguments::allowOutside,
                "Follow references to files outside of the description's folder, too" } },
        importDescription };
}

} // namespace instar
