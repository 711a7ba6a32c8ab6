// SPDX-License-Identifier: Apache-2.0
#include "views/panels/resourcepanel.h"

#include "model/items/words.h"
#include "views/drawing/chip.h"
#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include <cmath>
#include <functional>

using namespace Qt::StringLiterals;

namespace instar {

namespace {

constexpr qsizetype ExpandedAtOnce = 400; ///< rows; a larger tree opens only its first level
constexpr qsizetype FoundAtOnce = 5000; ///< matches of a filter that are opened; of more the first
constexpr int NameLeast = 110, ProgressLeast = 70, ProgressSmallest = 44; ///< pixels

} // namespace

ResourceDelegate::ResourceDelegate(QObject *parent)
    : RowDelegate(
        [](const QModelIndex &index) {
            return index.column() == ResourceModel::StateWord
                ? std::optional(StatusCategory(index.data(ResourceModel::StatusCategoryOf).toInt()))
                : std::nullopt;
        },
        parent)
{ }

void ResourceDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->textElideMode = Qt::ElideRight;
    if (!m_lookedAt.isEmpty() && m_lookedAt.contains(index.data(ResourceModel::Path).toString()))
        option->backgroundBrush = theme().accentFill;
    if (index.column() != ResourceModel::Name) {
        option->palette.setColor(QPalette::Text, theme().dimText);
        return;
    }
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = icon(index.data(ResourceModel::Icon).toString());
    option->decorationSize = QSize(16, 16);
    option->textElideMode = Qt::ElideMiddle;
}

/// Something was seen that the rules do not allow.
bool ResourceDelegate::hasBadge(const QModelIndex &index) const
{
    return index.data(ResourceModel::Deviates).toBool();
}

ResourcePanel::ResourcePanel(const Controller &controller, Selection &selection, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_selection(selection),
      m_model(new ResourceModel(controller, this)),
      m_delegate(new ResourceDelegate(this)),
      m_view(new QTreeView),
      m_filter(searchLine(tr("Filter by name, type or state"), tr("Filter of the resource tree"))),
      m_counts(new ElidedLabel)
{
    m_filter->setToolTip(
        tr("Words to look for; type:subnet or state:failed look in one place only"));
    m_typing.setSingleShot(true);
    m_typing.setInterval(120);
    connect(m_filter, &QLineEdit::textChanged, this, [this] { m_typing.start(); });
    connect(m_filter, &QLineEdit::returnPressed, this, &ResourcePanel::goToMatch);
    connect(&m_typing, &QTimer::timeout, this, &ResourcePanel::applyFilter);

    // A view moves on to a neighbour when its row goes; the selection here does not, and must know
    // before the view.
    connect(m_model, &QAbstractItemModel::rowsAboutToBeRemoved, this,
        [this] { m_followsUser = false; });
    m_view->setModel(m_model);
    m_view->setItemDelegate(m_delegate);
    m_view->setAccessibleName(tr("Resources"));
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_view->setDragDropMode(QAbstractItemView::DragOnly);
    m_view->setIndentation(16);
    m_view->header()->setStretchLastSection(false);
    m_view->header()->resizeSection(ResourceModel::TypeTitle, 110);
    m_view->header()->resizeSection(ResourceModel::Etag, 90);
    // Name, state and what runs are seen; the rest is in the header's menu.
    m_view->header()->moveSection(ResourceModel::StateWord, 1);
    m_view->header()->moveSection(m_view->header()->visualIndex(ResourceModel::InProgress), 2);
    m_view->header()->moveSection(m_view->header()->visualIndex(ResourceModel::Etag), 3);
    m_view->header()->setSectionsMovable(true);
    m_view->header()->setMinimumSectionSize(ProgressSmallest);
    offerColumns();
    makeRowsCopyable(m_view, ResourceModel::Full);
    showWhenEmpty(m_view, QString());
    setPlaceholder({});

    m_counts->setProperty("dim", true);

    filled(new QVBoxLayout(this), { m_filter, { m_view, 1 }, m_counts }, gap::small,
        { gap::normal, gap::small, gap::small, gap::small });
    setFocusProxy(m_view);

    offerMenu(m_view, [this](QMenu &menu) { fillMenu(menu); });
    connect(m_view->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this](const QModelIndex &current) {
            const QString path = m_model->path(current);
            if (m_followsUser && !path.isEmpty() && path != m_selection.resource())
                m_selection.choose(path);
        });
    connect(m_model, &QAbstractItemModel::rowsRemoved, this, &ResourcePanel::showSelection);
    connect(m_model, &QAbstractItemModel::rowsInserted, this,
        [this](const QModelIndex &above, int first, int last) {
            // What comes back is as open as it was.
            for (int row = first; row <= last && m_model->filter().isEmpty(); ++row)
                reopen(m_model->index(row, 0, above));
            showSelection();
        });
    connect(m_view, &QTreeView::expanded, this, [this](const QModelIndex &row) {
        if (m_model->filter().isEmpty())
            m_open.insert(m_model->path(row));
    });
    connect(m_view, &QTreeView::collapsed, this, [this](const QModelIndex &row) {
        if (m_model->filter().isEmpty())
            m_open.remove(m_model->path(row));
    });
    connect(m_view->header(), &QHeaderView::sectionResized, this, [this](int section) {
        const bool isByHand = QGuiApplication::mouseButtons() != Qt::NoButton;
        if (isByHand && (section == ResourceModel::Name || section == ResourceModel::StateWord))
            m_sizesColumns = false;
    });
    m_view->viewport()->installEventFilter(this);
    connect(&selection, &Selection::resourceChosen, this, [this] {
        m_controller.updates().tell(); // it may just have been made
        showSelection();
    });
    setMinimumWidth(NameLeast + std::min(widestChip(), 160) + 4 * gap::normal);
    connect(&controller.updates(), &Updates::happened, this, &ResourcePanel::showCounts);
    connect(&controller.updates(), &Updates::rewound, this, &ResourcePanel::showCounts);
    openRows();
    showCounts();
}

int ResourcePanel::widestChip() const
{
    const Rules &rules = m_controller.rules();
    double widest = 0;
    for (size_t code = 0; code < size_t(rules.codeCount()); ++code) {
        const Rules::StateRule &state = rules.state(rules.stateOf(Code(code)));
        if (state.kind == State::Kind::Stable || state.kind == State::Kind::Transitional)
            widest = std::max(widest, chipSize(rules.shown(Code(code)), m_view->font()).width());
    }
    return int(std::ceil(widest)) + 2 * gap::normal;
}

void ResourcePanel::sizeColumns()
{
    if (!m_sizesColumns)
        return;
    const int room = m_view->viewport()->width();
    const int state = std::min(widestChip(), std::max(room * 45 / 100, 80));
    // Names get what they need; what runs has the rest.
    const QAbstractItemView *view = m_view;
    const int wanted = std::max(m_view->header()->sectionSizeHint(ResourceModel::Name),
        view->sizeHintForColumn(ResourceModel::Name));
    const int last = m_hasConformance ? ResourceModel::Expected : ResourceModel::InProgress;
    // A header has no size for a column that is hidden: it would come and go for ever.
    const QString words = m_model->headerData(last, Qt::Horizontal).toString();
    const int title = m_view->header()->fontMetrics().horizontalAdvance(words) + 2 * gap::normal;
    const int least = m_hasConformance ? std::max(title, ProgressLeast) : ProgressSmallest;
    const int most = room - state - least;
    const int progress = std::max(ProgressLeast, title);
    const int name = std::max({ std::min(wanted, most), room - state - progress, 40 });
    m_view->header()->resizeSection(ResourceModel::StateWord, state);
    m_view->header()->resizeSection(ResourceModel::Name, name);
    // Where there is no room for both, names come first: what runs is in the queue, too.
    const bool hasRoom = room - state - std::min(wanted, NameLeast) >= least;
    m_view->header()->setSectionHidden(last, !hasRoom);
    if (hasRoom)
        m_view->header()->resizeSection(last, std::max(room - state - name, least));
    else
        m_view->header()->resizeSection(ResourceModel::Name, room - state);
}

void ResourcePanel::offerColumns()
{
    QHeaderView *header = m_view->header();
    header->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (const int column : { int(ResourceModel::TypeTitle), int(ResourceModel::Etag) }) {
        header->hideSection(column);
        auto *shown = new QAction(m_model->headerData(column, Qt::Horizontal).toString(), header);
        shown->setCheckable(true);
        connect(shown, &QAction::toggled, header,
            [header, column](bool on) { header->setSectionHidden(column, !on); });
        header->addAction(shown);
    }
}

void ResourcePanel::setConformance(const LiveConformance *conformance)
{
    m_hasConformance = conformance != nullptr;
    m_model->setConformance(conformance);
    if (conformance) { // what runs is in the queue, too
        m_view->header()->hideSection(ResourceModel::InProgress);
        m_view->header()->moveSection(m_view->header()->visualIndex(ResourceModel::Expected), 2);
    }
    openRows();
    sizeColumns();
}

bool ResourcePanel::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_view->viewport() && event->type() == QEvent::Resize)
        sizeColumns();
    return QWidget::eventFilter(watched, event);
}

void ResourcePanel::setTheme(const Theme &theme)
{
    m_delegate->setTheme(theme);
    m_view->viewport()->update();
}

void ResourcePanel::setPlaceholder(const QString &sentence)
{
    m_view->viewport()->findChild<QLabel *>()->setText(sentence.isEmpty()
            ? tr("No resource is here. Create one in the fire bar above, or change the filter.")
            : sentence);
}

void ResourcePanel::showSelection()
{
    m_followsUser = false;
    const QModelIndex row = m_model->indexOf(m_selection.resource());
    if (!row.isValid())
        m_view->selectionModel()->clear();
    else if (m_view->currentIndex().siblingAtColumn(0) != row)
        m_view->setCurrentIndex(row);
    m_followsUser = true;
}

void ResourcePanel::focusFilter()
{
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

void ResourcePanel::applyFilter()
{
    m_followsUser = false;
    const bool wasFiltered = !m_model->filter().isEmpty();
    m_model->setFilter(ResourceFilter::parsed(m_filter->text()));
    if (!m_model->filter().isEmpty()) {
        openMatches();
    } else if (wasFiltered) {
        for (int row = 0; row < m_model->rowCount(); ++row)
            reopen(m_model->index(row, 0));
    }
    showSelection();
    showCounts();
}

/// To what was looked for, not to what it lies in; what is selected and matches stays so.
void ResourcePanel::goToMatch()
{
    m_typing.stop();
    applyFilter();
    const QModelIndex current = m_view->currentIndex();
    if (const QModelIndex found = m_model->firstMatch();
        found.isValid() && !m_model->isMatch(current.siblingAtColumn(0)))
        m_view->setCurrentIndex(found);
    m_view->setFocus();
}

void ResourcePanel::reopen(const QModelIndex &row)
{
    if (!m_open.contains(m_model->path(row)))
        return;
    m_view->expand(row);
    for (int child = 0; child < m_model->rowCount(row); ++child)
        reopen(m_model->index(child, 0, row));
}

void ResourcePanel::openMatches()
{
    if (m_model->matches() <= FoundAtOnce)
        return m_view->expandAll();
    qsizetype opened = 0;
    for (int row = 0; row < m_model->rowCount() && opened < FoundAtOnce; ++row) {
        const QModelIndex top = m_model->index(row, 0);
        m_view->expandRecursively(top);
        opened += top.data(ResourceModel::Below).toLongLong() + 1;
    }
}

void ResourcePanel::openRows()
{
    if (!m_model->filter().isEmpty())
        return openMatches();
    const bool isSmall = m_model->matches() <= ExpandedAtOnce;
    if (!isSmall && m_model->rowCount() > ExpandedAtOnce)
        return;
    const std::function<void(const QModelIndex &)> open = [&](const QModelIndex &row) {
        if (!m_model->hasChildren(row))
            return;
        m_view->expand(row);
        for (int child = 0; isSmall && child < m_model->rowCount(row); ++child)
            open(m_model->index(child, 0, row));
    };
    for (int row = 0; row < m_model->rowCount(); ++row)
        open(m_model->index(row, 0));
    sizeColumns();
}

void ResourcePanel::showCounts()
{
    const QMap<QString, qint64> words = shownCounts(m_controller.rules(), m_controller.world());
    qint64 all = 0;
    QStringList parts;
    for (const auto &[word, count] : words.asKeyValueRange()) {
        all += count;
        parts += u"%1 %2"_s.arg(QLocale().toString(count), word);
    }
    QString text = tr("%Ln resources", nullptr, int(all));
    if (!m_model->filter().isEmpty())
        text = tr("%1 of %2").arg(QLocale().toString(m_model->matches()), text);
    m_counts->setToolTip(parts.join(u'\n'));
    m_counts->setText(parts.isEmpty() ? text : text + u": "_s + parts.join(u", "_s));
}

QWidget *ResourcePanel::counts() const
{
    return m_counts;
}

void ResourcePanel::setLookedAt(const QStringList &paths)
{
    m_delegate->setLookedAt({ paths.begin(), paths.end() });
    if (const QModelIndex first = m_model->indexOf(paths.value(0)); first.isValid())
        m_view->scrollTo(first);
    m_view->viewport()->update();
}

void ResourcePanel::copy(int role) const
{
    QGuiApplication::clipboard()->setText(
        m_model->indexOf(m_selection.resource()).data(role).toString());
}

void ResourcePanel::fillMenu(QMenu &menu)
{
    const QString path = m_selection.resource();
    const QModelIndex row = m_model->indexOf(path);
    if (row.isValid()) {
        for (const QString &operation : m_controller.rules().pack().operationNames()) {
            const QAction *asks = menu.addAction(icon(u"fire"_s), operation);
            connect(asks, &QAction::triggered, this,
                [=, this] { emit operationAsked(operation, path); });
        }
        menu.addSeparator();
        menu.addAction(
            icon(u"help"_s), tr("Why is it so?"), this, [=, this] { emit whyAsked(path); });
        menu.addSeparator();
        menu.addAction(
            icon(u"add"_s), tr("New resource below…"), this, [=, this] { emit childAsked(path); });
        menu.addSeparator();
        menu.addAction(
            icon(u"copy"_s), tr("Copy path"), this, [this] { copy(ResourceModel::Path); });
        menu.addAction(tr("Copy row"), this, [this] { copy(ResourceModel::Full); });
        menu.addAction(tr("Copy etag"), this, [this] {
            QGuiApplication::clipboard()->setText(m_model->indexOf(m_selection.resource())
                                                      .siblingAtColumn(ResourceModel::Etag)
                                                      .data()
                                                      .toString());
        });
        menu.addSeparator();
    } else {
        menu.addAction(
            icon(u"add"_s), tr("New resource…"), this, [this] { emit childAsked(QString()); });
        menu.addSeparator();
    }
    menu.addAction(tr("Open everything below"), this,
        [this, row] { row.isValid() ? m_view->expandRecursively(row) : m_view->expandToDepth(0); });
    menu.addAction(tr("Close all"), m_view, &QTreeView::collapseAll);
}

} // namespace instar
