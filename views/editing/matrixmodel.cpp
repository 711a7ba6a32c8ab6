// SPDX-License-Identifier: Apache-2.0
#include "views/editing/matrixmodel.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

QString words(const QList<Conflict::Then> &verdicts)
{
    QStringList all;
    for (const Conflict::Then verdict : verdicts)
        all += verdictWord(verdict);
    return all.join(MatrixModel::tr(" or "));
}

const char *titleOf(const QString &place)
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
    return titles.value(place, "");
}

/// Place of the running operation, within a sentence.
QString inSentence(const QString &title)
{
    return title.left(1).toLower() + title.mid(1);
}

QStringList byNumber(const QHash<QString, int> &numbers)
{
    QStringList keys(numbers.size());
    for (auto it = numbers.cbegin(); it != numbers.cend(); ++it)
        keys[it.value()] = it.key();
    return keys;
}

} // namespace

QString verdictWord(Conflict::Then verdict)
{
    switch (verdict) {
    case Conflict::Then::Cancel:
        return MatrixModel::tr("cancels");
    case Conflict::Then::Reject:
        return MatrixModel::tr("refused");
    case Conflict::Then::Allow:
        return MatrixModel::tr("allowed");
    case Conflict::Then::Wait:
        return MatrixModel::tr("waits");
    }
    return {};
}

QString verdictWish(Conflict::Then verdict)
{
    switch (verdict) {
    case Conflict::Then::Cancel:
        return MatrixModel::tr("Cancel what runs");
    case Conflict::Then::Reject:
        return MatrixModel::tr("Refuse what comes");
    case Conflict::Then::Allow:
        return MatrixModel::tr("Allow both");
    case Conflict::Then::Wait:
        return MatrixModel::tr("Wait until it has ended");
    }
    return {};
}

QString verdictLetter(Conflict::Then verdict)
{
    return verdictWish(verdict).first(1);
}

QString placeTitle(const QString &place)
{
    return MatrixModel::tr(titleOf(place));
}

void MatrixModel::show(const Pack &pack, const Setting &setting, const QString &only)
{
    const ConflictMatrix matrix(pack, setting);
    MatrixModel next;
    next.m_across = m_across;
    QSet<QString> comes, works;
    for (const QString &place : matrix.places()) {
        const bool isShown = only.isEmpty() || only == place;
        QStringList running;
        for (const QString &runs : matrix.operations()) {
            QStringList meets = matrix.operations();
            meets.removeIf([&](const QString &incoming) {
                return !matrix.canMeet({ runs, incoming, place });
            });
            if (!meets.isEmpty())
                running += runs;
            if (isShown)
                comes.unite({ meets.cbegin(), meets.cend() });
        }
        if (running.isEmpty())
            continue;
        next.m_places += place;
        if (!isShown)
            continue;
        next.m_shown += place;
        next.m_runs += running;
        works.unite({ running.cbegin(), running.cend() });
    }
    for (const QString &runs : matrix.operations()) {
        if (works.contains(runs))
            next.m_running.insert(runs, int(next.m_running.size()));
    }
    next.m_comes = matrix.operations();
    next.m_comes.removeIf([&](const QString &operation) { return !comes.contains(operation); });

    const QStringList running = byNumber(next.m_running);
    for (const QString &place : std::as_const(next.m_shown)) {
        for (const QString &runs : running) {
            for (const QString &incoming : std::as_const(next.m_comes))
                next.m_cells.push_back(matrix.cell({ runs, incoming, place }));
        }
    }

    next.m_rows = next.arranged();
    const bool keeps = next.m_rows == m_rows && next.m_comes == m_comes && next.m_shown == m_shown;
    if (!keeps)
        beginResetModel();
    m_places = next.m_places;
    m_shown = next.m_shown;
    m_comes = next.m_comes;
    m_runs = next.m_runs;
    m_running = next.m_running;
    m_cells = std::move(next.m_cells);
    m_rows = next.m_rows;
    if (!keeps)
        endResetModel();
    else if (!m_rows.isEmpty() && !m_comes.isEmpty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void MatrixModel::setAcross(int blocks)
{
    if (blocks == m_across)
        return;
    beginResetModel();
    m_across = blocks;
    m_rows = arranged();
    endResetModel();
}

/// Row headers: blocks side by side share rows, one for each operation that runs in any of them.
QList<MatrixModel::RowHead> MatrixModel::arranged() const
{
    QList<RowHead> rows;
    for (int first = 0; first < m_shown.size(); first += m_across) {
        const int band = first / m_across;
        rows += RowHead { band, {} };
        QSet<QString> runs;
        for (const QStringList &each : m_runs.mid(first, m_across))
            runs.unite({ each.cbegin(), each.cend() });
        for (const QString &running : byNumber(m_running)) {
            if (runs.contains(running))
                rows += RowHead { band, running };
        }
    }
    return rows;
}

int MatrixModel::block(const QModelIndex &index) const
{
    const int found = m_rows[index.row()].band * m_across + index.column() / int(m_comes.size());
    return found < m_shown.size() ? found : -1;
}

const ConflictCell &MatrixModel::cell(const QModelIndex &index) const
{
    const qsizetype comes = m_comes.size();
    const qsizetype running = m_running.value(m_rows[index.row()].running);
    return m_cells[size_t(
        (block(index) * m_running.size() + running) * comes + index.column() % comes)];
}

int MatrixModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int MatrixModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0
                            : int(m_comes.size() * std::min(qsizetype(m_across), m_shown.size()));
}

std::optional<Meeting> MatrixModel::meeting(const QModelIndex &index) const
{
    if (!index.isValid() || isTitle(index.row()) || block(index) < 0)
        return {};
    return Meeting { m_rows[index.row()].running, m_comes[index.column() % m_comes.size()],
        m_shown[block(index)] };
}

QModelIndex MatrixModel::indexOf(const Meeting &meeting) const
{
    const int place = int(m_shown.indexOf(meeting.place));
    const int column = int(m_comes.indexOf(meeting.incoming));
    if (place < 0 || column < 0)
        return {};
    const qsizetype row = m_rows.indexOf(RowHead { place / m_across, meeting.running });
    return row < 0 ? QModelIndex()
                   : index(int(row), place % m_across * int(m_comes.size()) + column);
}

QString MatrixModel::sentence(const QModelIndex &index) const
{
    const std::optional<Meeting> asked = meeting(index);
    if (!asked)
        return {};
    const QString meets =
        tr("%1 comes while %2 runs %3")
            .arg(asked->incoming, asked->running, inSentence(placeTitle(asked->place)));
    if (!cell(index).canMeet)
        return tr("%1: never happens").arg(meets);
    return tr("%1: %2").arg(meets, words(cell(index).verdicts));
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || block(index) < 0)
        return {};
    if (isTitle(index.row())) {
        const bool isText = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
        return isText && index.column() % m_comes.size() == 0
            ? QVariant(placeTitle(m_shown[block(index)]))
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
    const QString name = isRow ? m_rows[section].running : m_comes[section % m_comes.size()];
    if (role == Qt::DisplayRole || name.isEmpty())
        return name;
    return isRow ? tr("%1 runs").arg(name) : tr("%1 comes").arg(name);
}

Qt::ItemFlags MatrixModel::flags(const QModelIndex &index) const
{
    return meeting(index) ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace instar
