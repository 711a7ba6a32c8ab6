// SPDX-License-Identifier: Apache-2.0
#include "views/editing/matrixmodel.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

/// Texts by Conflict::Then: the verdict in a cell, and the command that chooses it.
const struct
{
    const char *word, *command;
} verdictTexts[] {
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "cancels"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Cancel the running operation") },
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "refused"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Refuse the incoming operation") },
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "allowed"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Allow both") },
    { QT_TRANSLATE_NOOP("instar::MatrixModel", "waits"),
        QT_TRANSLATE_NOOP("instar::MatrixModel", "Wait for the running operation to end") },
};

/// Verdicts as words: "cancels or waits".
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
    return MatrixModel::tr(verdictTexts[size_t(verdict)].command);
}

QString verdictLetter(Conflict::Then verdict)
{
    return verdictWish(verdict).first(1);
}

void MatrixModel::show(const Pack &pack, const Setting &setting, const QString &onlyPlace)
{
    const ConflictMatrix matrix(pack, setting);
    QStringList places;
    QStringList incomingOperations = matrix.operations();
    QList<Row> rows;
    for (const QString &place : matrix.places()) {
        QList<Row> block { { place, {} } };
        for (const QString &running : matrix.operations()) {
            const bool canMeetAny =
                std::ranges::any_of(incomingOperations, [&](const QString &incoming) {
                    return matrix.canMeet({ running, incoming, place });
                });
            if (canMeetAny)
                block += Row { place, running };
        }
        if (block.size() == 1)
            continue;
        places += place;
        if (onlyPlace.isEmpty() || onlyPlace == place)
            rows += block;
    }
    incomingOperations.removeIf([&](const QString &incoming) {
        return std::ranges::none_of(rows, [&](const Row &row) {
            return !row.running.isEmpty() && matrix.canMeet({ row.running, incoming, row.place });
        });
    });
    const bool keepsShape = rows == m_rows && incomingOperations == m_incoming;
    if (!keepsShape)
        beginResetModel();
    m_places = places;
    m_rows = rows;
    m_incoming = incomingOperations;
    m_cells.clear();
    for (const Row &row : rows) {
        for (const QString &incoming : incomingOperations)
            m_cells.push_back(row.running.isEmpty()
                    ? ConflictCell()
                    : matrix.cell({ row.running, incoming, row.place }));
    }
    if (!keepsShape)
        endResetModel();
    else if (!m_rows.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const ConflictCell &MatrixModel::cell(const QModelIndex &index) const
{
    return m_cells[size_t(index.row() * m_incoming.size() + index.column())];
}

std::optional<Meeting> MatrixModel::meeting(const QModelIndex &index) const
{
    if (!index.isValid() || isTitle(index.row()))
        return {};
    const Row &row = m_rows[index.row()];
    return Meeting { row.running, m_incoming[index.column()], row.place };
}

QModelIndex MatrixModel::indexOf(const Meeting &meeting) const
{
    return index(int(m_rows.indexOf(Row { meeting.place, meeting.running })),
        int(m_incoming.indexOf(meeting.incoming)));
}

QString MatrixModel::sentence(const QModelIndex &index) const
{
    const std::optional<Meeting> pair = meeting(index);
    if (!pair)
        return {};
    QString place = placeTitle(pair->place);
    place = place.left(1).toLower() + place.mid(1);
    const QString situation =
        tr("%1 arrives while %2 runs %3").arg(pair->incoming, pair->running, place);
    return cell(index).canMeet ? tr("%1: %2").arg(situation, words(cell(index).verdicts))
                               : tr("%1: cannot happen").arg(situation);
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
    const QString name = isRow ? m_rows[section].running : m_incoming[section];
    if (role == Qt::DisplayRole || name.isEmpty())
        return name;
    return isRow ? tr("%1 runs").arg(name) : tr("%1 arrives").arg(name);
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex &index) const
{
    return meeting(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace instar
