// SPDX-License-Identifier: Apache-2.0
#include "app/cli/cli.h"
#include "app/cli/machine.h"
#include "model/descriptions/descriptionpack.h"
#include "model/descriptions/descriptionreader.h"
#include "model/formats/pack.h"

#include <QFile>
#include <QFileInfo>

using namespace Qt::StringLiterals;

namespace instar {

Exit importDescription(const Arguments &arguments)
{
    const QString name = arguments.inputName();
    const QString out = QFile::decodeName(QByteArray::fromStdString(arguments.output));
    const Result<DescriptionRead> read =
        loadDescription(name, arguments.allowOutside ? OutsideFiles::Read : OutsideFiles::Refused);
    if (!read)
        return complain(read.error());
    const DescribedPack made = packOf(read->description, QFileInfo(name).fileName());
    const Exit exit = printTo(out, writePack(made.pack));
    if (exit == Exit::Fine)
        showRemarks(name, read->remarks + made.remarks);
    return exit;
}

} // namespace instar
