// SPDX-License-Identifier: Apache-2.0
#include "views/editing/matrixmodel.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

const struct
{
    const char *word, *wish;
} verdictTexts[] {
    // by Conflict::Then
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "cancels"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Cancel the running operation") },
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "refused"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Refuse the incoming operation") },
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "allowed"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Allow both") },
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "waits"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Wait for the running operation to end") },
};

QString words(const QList<Conflict::Then> &verdicts)
{
    QStringList all;
    for (const Conflict::Then verdict : verdicts)
        all += verdictWord(verdict);
    return all.join(MatrixModel::tr(" or "));
}

} // namespace

QString placeTitle(const QString &place)
{
    static const QHash<QString, const char *> titles {
        { u"self"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "On the same resource") },
        { u"ancestor"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "On an ancestor") },
        { u"descendant"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "On a descendant") },
        { u"sibling"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "On a sibling") },
        { u"tree"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "Elsewhere in the tree") },
        { u"reference"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "On a reference") },
        { u"referrer"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "On a referrer") },
        { u"unrelated"_s, QT_TRANSLATE_NOOP("instar::MatrixModel", "In another tree") },
    };
    return MatrixModel::tr(titles.value(place, ""));
}

QString verdictWord(Conflict::Then verdict)
{
    return MatrixModel::tr(verdictTexts[size_t(verdict)].word);
}

QString verdictWish(Conflict::Then verdict)
{
    return MatrixModel::tr(verdictTexts[size_t(verdict)].wish);
}

QString verdictLetter(Conflict::Then verdict)
{
    return verdictWish(verdict).first(1);
}

void MatrixModel::show(const Pack &pack, const Setting &setting, const QString &only)
{
    const ConflictMatrix matrix(pack, setting);
    QStringList places, comes = matrix.operations();
    QList<Row> rows;
    for (const QString &place : matrix.places()) {
        QList<Row> block { { place, {} } };
        for (const QString &runs : matrix.operations()) {
            const bool meets = std::ranges::any_of(comes, [&](const QString &incoming) {
                return matrix.canMeet({ runs, incoming, place });
            });
            if (meets)
                block += Row { place, runs };
        }
        if (block.size() == 1)
            continue;
        places += place;
        if (only.isEmpty() || only == place)
            rows += block;
    }
    comes.removeIf([&](const QString &incoming) {
        return std::ranges::none_of(rows, [&](const Row &row) {
            return !row.running.isEmpty() && matrix.canMeet({ row.running, incoming, row.place });
        });
    });
    const bool keeps = rows == m_rows && comes == m_comes;
    if (!keeps)
        beginResetModel();
    m_places = places;
    m_rows = rows;
    m_comes = comes;
    m_cells.clear();
    for (const Row &row : rows) {
        for (const QString &incoming : comes)
            m_cells.push_back(row.running.isEmpty()
                    ? ConflictCell()
                    : matrix.cell({ row.running, incoming, row.place }));
    }
    if (!keeps)
        endResetModel();
    else if (!m_rows.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const ConflictCell &MatrixModel::cell(const QModelIndex &index) const
{
    return m_cells[size_t(index.row() * m_comes.size() + index.column())];
}

std::optional<Meeting> MatrixModel::meeting(const QModelIndex &index) const
{
    if (!index.isValid() || isTitle(index.row()))
        return {};
    const Row &row = m_rows[index.row()];
    return Meeting { row.running, m_comes[index.column()], row.place };
}

QModelIndex MatrixModel::indexOf(const Meeting &meeting) const
{
    return index(int(m_rows.indexOf(Row { meeting.place, meeting.running })),
        int(m_comes.indexOf(meeting.incoming)));
}

QString MatrixModel::sentence(const QModelIndex &index) const
{
    const std::optional<Meeting> asked = meeting(index);
    if (!asked)
        return {};
    QString place = placeTitle(asked->place);
    place = place.left(1).toLower() + place.mid(1);
    const QString meets =
        tr("%1 arrives while %2 runs %3").arg(asked->incoming, asked->running, place);
    return cell(index).canMeet ? tr("%1: %2").arg(meets, words(cell(index).verdicts))
                               : tr("%1: cannot happen").arg(meets);
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (isTitle(index.row())) {
        const bool isText = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
        return isText && index.column() == 0 ? QVariant(placeTitle(m_rows[index.row()].place))
                                             : QVariant();
    }
    if (role == Qt::DisplayRole)
        return cell(index).canMeet ? words(cell(index).verdicts) : QString();
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return sentence(index);
    return {};
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::AccessibleTextRole)
        return {};
    const bool isRow = orientation == Qt::Vertical;
    if (section < 0 || section >= (isRow ? rowCount() : columnCount()))
        return {};
    const QString name = isRow ? m_rows[section].running : m_comes[section];
    if (role == Qt::DisplayRole || name.isEmpty())
        return name;
    return isRow ? tr("%1 runs").arg(name) : tr("%1 arrives").arg(name);
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex &index) const
{
    return meeting(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace instar
