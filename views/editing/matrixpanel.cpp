// SPDX-License-Identifier: Apache-2.0
#include "views/editing/matrixpanel.h"

#include "model/explore/coverage.h"
#include "views/document/document.h"
#include "views/drawing/text.h"
#include "views/htmlview.h"
#include "views/look.h"

#include <QComboBox>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace instar {

namespace {

constexpr int verdictCount = 4;
constexpr int cellHeight = 24;
constexpr int letterWidth = 26;  ///< width of a column whose cells show letters
constexpr int mostHeading = 110; ///< greatest length of a name in a header, in pixels
constexpr int leastChoice = 48;  ///< least width of the switches' combo box, in pixels
constexpr double faint = 0.42;   ///< opacity of cells that were not exercised

/// Colours of a verdict: those of a status category (cancel: Removing, reject: Failed, allow: Rest,
/// wait: Waiting).
const Theme::Tone &toneOf(const Theme &theme, Conflict::Then verdict)
{
    static constexpr StatusCategory statusCategories[] = { StatusCategory::Removing,
        StatusCategory::Failed, StatusCategory::Rest, StatusCategory::Waiting };
    return theme.tones[size_t(statusCategories[size_t(verdict)])];
}

/// Verdict as a command: "Cancel the running operation".
QString verdictWish(Conflict::Then verdict)
{
    const QString commands[] { MatrixModel::tr("Cancel the running operation"),
        MatrixModel::tr("Refuse the incoming operation"), MatrixModel::tr("Allow both"),
        MatrixModel::tr("Wait for the running operation to end") };
    return commands[size_t(verdict)];
}

/// Verdicts as text: "cancels or waits".
QString verdictsText(const ConflictCell &cell)
{
    return mapped<QStringList>(cell.verdicts, [&](Conflict::Then verdict) {
        return cell.removesRunning && verdict == Conflict::Then::Allow
            ? MatrixModel::tr("allowed; cancels it")
            : verdictWord(verdict);
    }).join(MatrixModel::tr(" or "));
}

/// Title for a relation of the running operation's resource to the incoming one's: "On an
/// ancestor".
QString relationTitle(const QString &relation)
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
    return MatrixModel::tr(titles.value(relation, ""));
}

/// Header of running or incoming operations: elides long names, and rotates them above columns
/// that are narrower.
class MatrixHeader : public QHeaderView
{
public:
    using QHeaderView::QHeaderView;
    /// Sets the width of the columns, in pixels.
    void setWidth(int width)
    {
        setDefaultSectionSize(width);
        m_isTurned = widest() + gap::normal > width;
        setFixedHeight(sizeHint().height());
        viewport()->update();
    }
    QSize sizeHint() const override
    {
        const QSize usual = QHeaderView::sizeHint();
        const int longest = std::min(widest(), mostHeading);
        if (orientation() == Qt::Vertical)
            return { longest + gap::large, usual.height() };
        if (!m_isTurned)
            return { usual.width(), cellHeight };
        return { usual.width(), std::min(longest, parentWidget()->height() / 3) + gap::normal };
    }

protected:
    void paintSection(QPainter *painter, const QRect &rect, int section) const override
    {
        painter->save();
        painter->fillRect(rect, palette().color(QPalette::Window));
        const QModelIndex current =
            selectionModel() ? selectionModel()->currentIndex() : QModelIndex();
        const bool isRow = orientation() == Qt::Vertical;
        const bool isCurrent =
            current.isValid() && (isRow ? current.row() : current.column()) == section;
        painter->setPen(palette().color(isCurrent ? QPalette::Text : QPalette::PlaceholderText));
        QRect line = rect.adjusted(gap::small, 0, -gap::small, 0);
        if (!isRow && m_isTurned) {
            painter->translate(rect.left(), rect.bottom() + 1);
            painter->rotate(-90);
            line = QRect(gap::small, 0, rect.height() - gap::normal, rect.width());
        }
        const Qt::Alignment side = isRow ? Qt::AlignRight
            : m_isTurned                 ? Qt::AlignLeft
                                         : Qt::AlignHCenter;
        drawText(*painter, line, int(side | Qt::AlignVCenter),
            fontMetrics().elidedText(text(section), Qt::ElideRight, line.width()));
        painter->restore();
    }

private:
    QString text(int section) const
    {
        return model()->headerData(section, orientation(), Qt::DisplayRole).toString();
    }
    int widest() const
    {
        int most = 0;
        for (int i = 0; model() && i < count(); ++i)
            most = std::max(most, fontMetrics().horizontalAdvance(text(i)));
        return most;
    }

    bool m_isTurned = false;
};

/// Paints a cell as the verdict's word in its colour, or as its letter if there is little room.
class MatrixDelegate : public QStyledItemDelegate
{
public:
    explicit MatrixDelegate(MatrixPanel *panel) : QStyledItemDelegate(panel), m_panel(*panel) { }
    bool isNarrow = false;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
        const QModelIndex &index) const override
    {
        const MatrixModel &model = m_panel.model();
        painter->save();
        painter->setPen(theme().line);
        if (model.isTitle(index.row()))
            paintTitle(painter, option, index);
        else if (!model.cell(index).canMeet)
            drawText(*painter, option.rect, int(Qt::AlignCenter), u"·"_s);
        else
            paintVerdicts(painter, option, index);
        if (index == m_panel.table().currentIndex()) {
            setInk(*painter, QPen(theme().accent, 2));
            painter->drawRect(option.rect.adjusted(1, 1, -1, -1));
        }
        painter->restore();
    }

private:
    void paintTitle(
        QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
    {
        painter->fillRect(option.rect, theme().window);
        painter->setFont(inBold(option.font));
        painter->setPen(theme().text);
        drawText(*painter, option.rect.adjusted(gap::small, 0, 0, 0),
            int(Qt::AlignLeft | Qt::AlignVCenter), index.data().toString());
    }
    void paintVerdicts(
        QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
    {
        const MatrixModel &model = m_panel.model();
        const QRect inner = option.rect.adjusted(1, 1, -1, -1);
        if (m_panel.isFaint(*model.meeting(index)))
            painter->setOpacity(faint);
        const QList<Conflict::Then> &verdicts = model.cell(index).verdicts;
        const QFontMetrics metrics(option.font);
        const QStringList texts = verdicts.size() == 1 && !isNarrow
            ? QStringList(
                metrics.elidedText(index.data().toString(), Qt::ElideRight, inner.width()))
            : verdictTexts(verdicts, isNarrow ? 0 : inner.width(), metrics);
        const auto edge = [&](qsizetype part) {
            return inner.left() + int(inner.width() * part / texts.size());
        };
        for (qsizetype i = 0; i < texts.size(); ++i) {
            const Theme::Tone &tone = toneOf(theme(), verdicts[i]);
            const QRect area(edge(i), inner.top(), edge(i + 1) - edge(i), inner.height());
            painter->fillRect(area, tone.fill);
            painter->setPen(tone.text);
            drawText(*painter, area, int(Qt::AlignCenter), texts[i]);
        }
        painter->setOpacity(1); // the frame of the current cell is never faint
    }

    MatrixPanel &m_panel;
};

} // namespace

QString verdictWord(Conflict::Then verdict)
{
    const QString words[] { MatrixModel::tr("cancels"), MatrixModel::tr("refused"),
        MatrixModel::tr("allowed"), MatrixModel::tr("waits") };
    return words[size_t(verdict)];
}

QString verdictLetter(Conflict::Then verdict)
{
    return verdictWish(verdict).first(1);
}

void MatrixModel::show(const Pack &pack, const Setting &setting)
{
    const ConflictMatrix matrix(pack, setting);
    QStringList incomingOperations = matrix.operations();
    QList<Row> rows;
    for (const QString &relation : matrix.places()) {
        QList<Row> block { { relation, {} } };
        for (const QString &running : matrix.operations()) {
            const bool canMeetAny =
                std::ranges::any_of(incomingOperations, [&](const QString &incoming) {
                    return matrix.canMeet({ running, incoming, relation });
                });
            if (canMeetAny)
                block += Row { relation, running };
        }
        if (block.size() > 1)
            rows += block;
    }
    incomingOperations.removeIf([&](const QString &incoming) {
        return std::ranges::none_of(rows, [&](const Row &row) {
            return !row.running.isEmpty()
                && matrix.canMeet({ row.running, incoming, row.relation });
        });
    });
    const bool keepsShape = rows == m_rows && incomingOperations == m_incoming;
    if (!keepsShape)
        beginResetModel();
    m_rows = rows;
    m_incoming = incomingOperations;
    m_cells.clear();
    for (const Row &row : rows) {
        for (const QString &incoming : incomingOperations)
            m_cells.push_back(row.running.isEmpty()
                    ? ConflictCell()
                    : matrix.cell({ row.running, incoming, row.relation }));
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
    return Meeting { row.running, m_incoming[index.column()], row.relation };
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
    const QString where = relationTitle(pair->place);
    const QString situation =
        tr("%1 arrives while %2 runs %3")
            .arg(pair->incoming, pair->running, where.left(1).toLower() + where.mid(1));
    return cell(index).canMeet ? tr("%1: %2").arg(situation, verdictsText(cell(index)))
                               : tr("%1: cannot happen").arg(situation);
}

QVariant MatrixModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (isTitle(index.row())) {
        const bool isText = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
        return isText && index.column() == 0 ? QVariant(relationTitle(m_rows[index.row()].relation))
                                             : QVariant();
    }
    if (role == Qt::DisplayRole)
        return cell(index).canMeet ? verdictsText(cell(index)) : QString();
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

QStringList verdictTexts(
    const QList<Conflict::Then> &verdicts, int width, const QFontMetrics &metrics)
{
    const bool areWords = std::ranges::all_of(verdicts, [&](Conflict::Then verdict) {
        return (metrics.horizontalAdvance(verdictWord(verdict)) + gap::small) * verdicts.size()
            <= width;
    });
    return mapped<QStringList>(verdicts, areWords ? verdictWord : verdictLetter);
}

MatrixPanel::MatrixPanel(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_model(new MatrixModel(this)),
      m_table(new QTableView),
      m_details(new HtmlView),
      m_switches(new QComboBox),
      m_switchesLabel(new QLabel(tr("Switches:"))),
      m_refresh(*this, [this] { refresh(); })
{
    m_table->setModel(m_model);
    m_table->setHorizontalHeader(new MatrixHeader(Qt::Horizontal, m_table));
    m_table->setVerticalHeader(new MatrixHeader(Qt::Vertical, m_table));
    m_table->setItemDelegate(new MatrixDelegate(this));
    m_table->setAccessibleName(tr("Conflicts: running operations in rows, incoming in columns"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setShowGrid(false);
    m_table->setCornerButtonEnabled(false);
    m_table->setTabKeyNavigation(false);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(cellHeight);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setMinimumSectionSize(letterWidth);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    showWhenEmpty(m_table, [this] {
        return m_document.pack().operationNames().isEmpty()
            ? tr("The pack has no operations yet. Draw an arrow on the chart and give it an "
                 "operation's name, or add an operation under System › Operations.")
            : tr("No operation takes time, so operations cannot conflict. Let an operation's arrow "
                 "lead to a transitional state.");
    });

    m_details->setAccessibleName(tr("Conflict rows that apply to the selected cell"));
    m_details->setMinimumWidth(120);
    connect(m_details, &HtmlView::anchorClicked, this,
        [this](const QUrl &url) { emit rowAsked(url.path()); });

    auto *parts = new QSplitter(Qt::Vertical);
    parts->addWidget(m_table);
    parts->addWidget(m_details);
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 1);
    parts->setCollapsible(0, false);
    m_switchesLabel->setBuddy(m_switches);
    m_switches->setAccessibleName(tr("Switches"));
    m_switches->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_switches->setMinimumContentsLength(14);
    m_switches->setMinimumWidth(leastChoice);
    connect(m_switches, &QComboBox::activated, this, &MatrixPanel::refresh);
    auto *choices = filled(new QHBoxLayout, { m_switchesLabel, m_switches, Part::rest(1) });
    filled(new QVBoxLayout(this), { choices, { parts, 1 } }, gap::small,
        { gap::small, gap::small, gap::small, gap::small });
    setFocusProxy(m_table);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(m_table, &QTableView::customContextMenuRequested, this, &MatrixPanel::popUp);
    connect(m_table, &QTableView::clicked, this, &MatrixPanel::popUp);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
        m_table->horizontalHeader()->viewport()->update();
        m_table->verticalHeader()->viewport()->update();
        showDetails();
    });
    connect(&document, &Document::changed, this, [this] { m_refresh.request(); });
    m_refresh.request();
    whenThemed(this, [this] { showDetails(); });
}

Setting MatrixPanel::setting() const
{
    return m_switches->currentData().value<Setting>();
}

void MatrixPanel::fillSettings()
{
    const QVariant chosen = m_switches->currentData();
    m_switches->clear();
    m_switches->addItem(tr("Default switches"), QVariant::fromValue(Setting()));
    for (const Switch &row : m_document.pack().switches) {
        for (const QString &value : row.values) {
            if (value != row.defaultValue)
                m_switches->addItem(u"%1 = %2"_s.arg(row.id, value),
                    QVariant::fromValue(Setting { { row.id, value } }));
        }
    }
    m_switches->setCurrentIndex(std::max(m_switches->findData(chosen), 0));
    m_switches->setVisible(m_switches->count() > 1);
    m_switchesLabel->setVisible(m_switches->count() > 1);
}

void MatrixPanel::setExercised(const Coverage *coverage)
{
    m_unexercised.reset();
    if (coverage) {
        const QList<Meeting> left = coverage->meetingsLeft();
        m_unexercised.emplace(left.begin(), left.end());
    }
    showDetails();
    m_table->viewport()->update();
}

bool MatrixPanel::isFaint(const Meeting &meeting) const
{
    return m_unexercised && m_unexercised->contains(meeting);
}

void MatrixPanel::refresh()
{
    const std::optional<Meeting> current = m_model->meeting(m_table->currentIndex());
    fillSettings();
    m_model->show(m_document.pack(), setting());
    layOut();
    if (current && m_model->indexOf(*current).isValid())
        m_table->setCurrentIndex(m_model->indexOf(*current));
    showDetails();
}

/// Sets the width of the columns, and makes cells show letters if the widest word does not fit. A
/// cell with two possible verdicts gets room for two words if there is enough.
void MatrixPanel::layOut()
{
    const QFontMetrics metrics(inBold(font()));
    int word = 0, title = 0;
    for (int i = 0; i < verdictCount; ++i)
        word = std::max(word, metrics.horizontalAdvance(verdictWord(Conflict::Then(i))));
    for (int row = 0; row < m_model->rowCount(); ++row) {
        if (m_model->isTitle(row))
            title = std::max(
                title, metrics.horizontalAdvance(m_model->index(row, 0).data().toString()));
    }
    word += gap::normal;
    const int columns = std::max(1, m_model->columnCount());
    const int room = (m_table->viewport()->width() - 1) / columns;
    const bool isNarrow = room < word;
    static_cast<MatrixHeader *>(m_table->horizontalHeader())
        ->setWidth(std::max(
            isNarrow ? letterWidth : std::min(room, 2 * word), (title + gap::normal) / columns));
    static_cast<MatrixDelegate *>(m_table->itemDelegate())->isNarrow = isNarrow;
    m_table->clearSpans();
    for (int row = 0; row < m_model->rowCount() && columns > 1; ++row) {
        if (m_model->isTitle(row))
            m_table->setSpan(row, 0, 1, columns);
    }
}

bool MatrixPanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_table->viewport() && event->type() == QEvent::Resize)
        layOut();
    if (watched != m_table || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter
        || key->key() == Qt::Key_Space) {
        popUp();
        return true;
    }
    for (int i = 0; i < verdictCount && !(key->modifiers() & ~Qt::ShiftModifier); ++i) {
        if (key->text().compare(verdictLetter(Conflict::Then(i)), Qt::CaseInsensitive) == 0) {
            wish(Conflict::Then(i));
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void MatrixPanel::setEditable(bool editable)
{
    m_isEditable = editable;
    showDetails();
}

void MatrixPanel::wish(Conflict::Then verdict)
{
    const std::optional<Meeting> meeting = m_model->meeting(m_table->currentIndex());
    if (!meeting)
        return;
    if (!m_isEditable)
        return emit said(
            tr("To change the rules, switch to Edit (Ctrl+E). Here a cell shows its rows."));
    if (!m_model->cell(m_table->currentIndex()).canMeet)
        return emit said(tr("%2 never arrives while %1 runs there, so there is nothing to decide.")
                             .arg(meeting->running, meeting->incoming));
    const Pack pack = m_document.pack();
    const Pack wished = withVerdict(pack, setting(), *meeting, verdict);
    const qsizetype more = wished.conflicts.size() - pack.conflicts.size();
    if (wished.conflicts == pack.conflicts)
        return;
    m_document.edit(
        tr("%1: %2 while %3 runs").arg(verdictWish(verdict), meeting->incoming, meeting->running),
        wished);
    const auto differ = std::ranges::mismatch(wished.conflicts, pack.conflicts);
    if (differ.in1 != wished.conflicts.end())
        emit rowAsked(u"/conflicts/%1"_s.arg(differ.in1 - wished.conflicts.begin()));
    emit said(more > 0  ? tr("A conflict row was added")
            : more == 0 ? tr("A conflict row was changed")
                        : tr("A conflict row that no longer applies was removed"));
}

/// Shows the first row of the current cell, and opens a menu of the four verdicts, if the cell can
/// be changed.
void MatrixPanel::popUp()
{
    const QModelIndex current = m_table->currentIndex();
    if (!m_isEditable || !m_model->meeting(current) || !m_model->cell(current).canMeet)
        return;
    const ConflictCell cell = m_model->cell(current);
    if (!cell.rows.isEmpty())
        emit rowAsked(u"/conflicts/%1"_s.arg(cell.rows.first()));
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int i = 0; i < verdictCount; ++i) {
        const auto verdict = Conflict::Then(i);
        QAction *action =
            menu->addAction(u'&' + verdictWish(verdict), this, [this, verdict] { wish(verdict); });
        action->setCheckable(true);
        action->setChecked(cell.verdicts.contains(verdict));
    }
    menu->popup(m_table->viewport()->mapToGlobal(m_table->visualRect(current).bottomLeft()));
}

/// HTML of the rows that may decide a cell: a link, the verdict, and the sources.
QString MatrixPanel::rowsText(const ConflictCell &cell) const
{
    const Pack &pack = m_document.pack();
    QString html;
    for (const int index : cell.rows) {
        const Conflict &row = pack.conflicts[index];
        const QString sources = pack.sourceText(row);
        const QString name = tr("Row %1").arg(index + 1);
        html += u"<p>%1: %2%3"_s.arg(m_isEditable
                ? u"<a href=\"/conflicts/%1\">%2</a>"_s.arg(QString::number(index), name)
                : u"<b>%1</b>"_s.arg(name),
            verdictWord(row.then).toHtmlEscaped(),
            row.condition.kind == Condition::Kind::Always ? QString()
                                                          : tr(", if the row's condition holds"));
        if (!row.about.isEmpty())
            html += u"<br>"_s + row.about.toHtmlEscaped();
        if (!sources.isEmpty())
            html += u"<br><span style=\"color:%1\">%2</span>"_s.arg(
                theme().dimText.name(), sources.toHtmlEscaped());
        html += u"</p>"_s;
    }
    if (!cell.isSettled)
        html += u"<p>%1</p>"_s.arg(cell.rows.isEmpty()
                ? tr("No row applies, so both operations continue.")
                : tr("If no row's condition holds, both operations continue."));
    if (cell.removesRunning)
        html += u"<p>%1</p>"_s.arg(tr("The incoming operation removes the resource when it "
                                      "succeeds, which cancels the running operation."));
    return html;
}

void MatrixPanel::showDetails()
{
    const QModelIndex current = m_table->currentIndex();
    if (!m_model->meeting(current)) {
        m_details->setHtml(m_model->rowCount() == 0
                ? QString()
                : u"<p>%1</p><p>%2</p>"_s.arg(tr("Each row is a running operation, each column an "
                                                 "incoming one."),
                    m_isEditable
                        ? tr("Click a cell, or select one and press Return, to edit what happens "
                             "in that conflict.")
                        : tr("Click a cell to see which rule decides the conflict, and the rule's "
                             "source.")));
        return;
    }
    QString note;
    const bool canMeet = m_model->cell(current).canMeet;
    if (!canMeet)
        note = tr("No two resources that accept these operations can be in this relation.");
    else if (m_unexercised)
        note = isFaint(*m_model->meeting(current)) ? tr("No run has exercised this conflict yet.")
                                                   : tr("A run has exercised this conflict.");
    m_details->setHtml(u"<p><b>%1</b></p>"_s.arg(m_model->sentence(current).toHtmlEscaped())
        + (note.isEmpty() ? note : u"<p>%1</p>"_s.arg(note))
        + (canMeet ? rowsText(m_model->cell(current)) : QString()));
}

} // namespace instar
