// SPDX-License-Identifier: Apache-2.0
#include "views/editing/rowform.h"

#include "model/pack/edits.h"
#include "model/pack/identity.h"
#include "model/pack/knownnames.h"
#include "model/pack/rows.h"
#include "views/document/document.h"
#include "views/editing/wordedits.h"
#include "views/htmlview.h"
#include "views/look.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace instar {

namespace {

constexpr int mostLinks = 8;
constexpr int leastWidth = 60; ///< of a field, in pixels
constexpr int helpLines = 6;   ///< visible lines of a long help

/// Small label, hidden at first; `kind`: property that styleSheet() selects by.
QLabel *smallLabel(QWidget *parent, const char *kind)
{
    auto *label = new QLabel(parent);
    label->setProperty(kind, true);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * 0.9);
    label->setFont(font);
    label->setWordWrap(true);
    label->setMinimumWidth(1); // cuts a long word, so that the form stays as wide as its dock
    label->hide();
    return label;
}

HtmlLabel *linkLabel(QWidget *parent)
{
    auto *label = new HtmlLabel(parent);
    label->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    label->setWordWrap(true);
    label->setMinimumWidth(1);
    return label;
}

/// Pointer of the innermost row at or around the value at a JSON pointer.
QString rowAround(const Pack &pack, QString pointer)
{
    while (!pointer.isEmpty() && fieldsAt(pack, pointer).kind.isEmpty())
        pointer = parentPointer(pointer);
    return pointer;
}

/// Title of a row; the id for the pack itself.
QString titleOf(const Pack &pack, const QString &row)
{
    return row.isEmpty() ? pack.id : outlineOf(pack, row).title;
}

/// Makes an editor as high as its lines, within limits.
void fitHeight(QPlainTextEdit *edit)
{
    constexpr int most = 6, frame = 12;
    const int lines = std::clamp(edit->document()->blockCount(), 1, most);
    edit->setFixedHeight(lines * edit->fontMetrics().lineSpacing() + frame);
}

} // namespace

RowForm::RowForm(Document &document, QWidget *parent)
    : QWidget(parent),
      m_document(document),
      m_title(boldLabel({})),
      m_kind(dimLabel()),
      m_about(smallLabel(this, "dim")),
      m_help(smallLabel(this, "dim")),
      m_uses(linkLabel(this)),
      m_scroll(plainScrollArea()),
      m_helpArea(plainScrollArea()),
      m_refresh(*this, [this] { refresh(); })
{
    setAccessibleName(tr("Row"));
    m_title->setWordWrap(true);
    m_title->setMinimumWidth(1);
    m_help->setObjectName(u"help"_s);
    m_help->setAlignment(Qt::AlignTop);
    m_helpArea->setWidget(m_help);
    m_help->show();
    filled(new QVBoxLayout(this), { m_title, m_kind, m_about, { m_scroll, 1 }, m_helpArea },
        gap::small, { gap::normal, gap::normal, gap::normal, gap::small });
    fitHelp();
    setMinimumWidth(200);
    connect(m_uses, &QLabel::linkActivated, this, &RowForm::rowAsked);
    connect(&document, &Document::changed, this, &RowForm::follow);
    showRow({});
    whenThemed(this, [this] { m_refresh.request(); });
}

RowForm::~RowForm()
{
    m_isFilling = true; // so that eventFilter() ignores fields that lose the focus when deleted
    delete m_scroll;
}

void RowForm::showRow(const QString &pointer)
{
    const QString at = rowAround(m_document.pack(), pointer);
    m_number = numberAt(m_document.pack(), at);
    const QString own = pointerOf(m_document.pack(), m_number).value_or(QString());
    m_pointerBelowRow = at.sliced(std::min(own.size(), at.size()));
    if (at == m_pointer && !m_lines.isEmpty())
        return m_refresh.request();
    m_document.endMerging();
    m_pointer = at;
    m_row = {};
    m_refresh.request();
    m_scroll->ensureVisible(0, 0);
}

void RowForm::follow()
{
    const std::optional<QString> now = pointerOf(m_document.pack(), m_number);
    // If the part below the row is gone, the form shows the innermost one around it.
    m_pointer = now ? rowAround(m_document.pack(), *now + m_pointerBelowRow) : QString();
    if (!now) {
        m_pointerBelowRow.clear();
        m_number = numberAt(m_document.pack(), {});
        m_row = {};
    }
    m_refresh.request();
}

void RowForm::refresh()
{
    const Pack &pack = m_document.pack();
    const QString pointer = m_pointer;
    const RowFields row = fieldsAt(pack, pointer);
    const auto isSame = [](const Field &a, const Field &b) {
        return a.key == b.key && a.kind == b.kind;
    };
    const bool isBuilt = m_row.kind == row.kind && !m_lines.isEmpty()
        && std::ranges::equal(m_row.fields, row.fields, isSame);
    const bool wasShown = !m_row.kind.isEmpty();
    const QString focused = wasShown ? focusedKey() : QString();
    const int scrolled = wasShown ? m_scroll->verticalScrollBar()->value() : 0;
    if (!isBuilt) {
        m_lines.clear();
        showHelp({}); // the field that the help is about is gone
        if (m_scroll->isAncestorOf(window()->focusWidget()))
            setFocus(Qt::OtherFocusReason); // the chart would take the focus and select a state
        if (QWidget *old = m_scroll->takeWidget())
            old->deleteLater(); // one of its fields may be handling an event now
        if (m_pointer != pointer)
            return; // moving the focus made the form show another row
        build(row);
    }
    m_row = row;
    m_title->setText(titleOf(pack, m_pointer));
    const QString kind = row.kind.section(u' ', 1);
    //: "state of lease"
    m_kind->setText(row.machine.isEmpty() || keysOf(m_pointer).size() < 3
            ? kind
            : tr("%1 of %2").arg(kind, row.machine));
    m_about->setText(row.help);
    m_about->show();
    for (qsizetype i = 0; i < m_lines.size(); ++i)
        fill(m_lines[i], row.fields[i]);
    fillUses();
    if (isBuilt || !wasShown)
        return;
    // The form was rebuilt for other fields of the same row: restores focus and scroll position.
    if (const Line *same = line(focused))
        same->control->setFocus(Qt::OtherFocusReason);
    m_scroll->widget()->adjustSize();
    m_scroll->verticalScrollBar()->setValue(scrolled);
}

QString RowForm::focusedKey() const
{
    const QWidget *focused = window()->focusWidget();
    for (const Line &each : m_lines) {
        if (focused && (each.control == focused || each.control->isAncestorOf(focused)))
            return each.field.key;
    }
    return {};
}

void RowForm::build(const RowFields &row)
{
    m_lines.clear();
    auto *fields = new QWidget;
    m_grid = new QGridLayout(fields);
    // Room below the last field, so that the fields stay when the help ends and the form grows.
    m_grid->setContentsMargins(0, gap::small, gap::small, gap::normal + mostHelpHeight());
    m_grid->setHorizontalSpacing(gap::small);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(1, 1);
    const int at = 3 * int(row.fields.size());
    for (int i = 0; i < row.fields.size(); ++i)
        addLine(row.fields[i], 3 * i);
    m_uses->setParent(fields);
    m_grid->addWidget(m_uses, at, 0, 1, 2);
    m_grid->setRowStretch(at + 1, 1);
    m_scroll->setWidget(fields);
    fields->show();
    m_uses->show();
}

void RowForm::addLine(const Field &field, int at)
{
    Line line;
    line.field = field;
    QLabel *label = dimLabel(field.isRequired ? field.title + u" *"_s : field.title);
    label->setToolTip(field.isRequired ? tr("%1 Required.").arg(field.help) : field.help);
    addControl(line);
    line.control->setObjectName(field.key);
    line.control->setMinimumWidth(leastWidth);
    line.control->setAccessibleName(field.title);
    line.control->setAccessibleDescription(field.help);
    line.control->setToolTip(field.help);
    line.control->installEventFilter(this);
    if (field.kind != Field::Kind::Rows)
        label->setBuddy(line.control);
    m_grid->addWidget(label, at, 0, Qt::AlignTop);
    label->setContentsMargins(0, gap::small, gap::small, 0);
    const bool isNamed = field.names != Name::None
        && (field.kind == Field::Kind::Text || field.kind == Field::Kind::Texts);
    auto *beside = filled(new QHBoxLayout, { { line.control, 1 } });
    if (isNamed || field.kind == Field::Kind::Row) {
        line.link = newLink(field);
        beside->addWidget(line.link, 0, Qt::AlignTop);
    }
    if (!field.unit.isEmpty())
        beside->addWidget(dimLabel(field.unit));
    m_grid->addLayout(beside, at, 1);
    line.error = smallLabel(this, "problem");
    line.error->setObjectName(field.key + u"-error"_s);
    m_grid->addWidget(line.error, at + 1, 1);
    m_grid->setRowMinimumHeight(at + 2, gap::small);
    m_lines += line;
}

QToolButton *RowForm::newLink(const Field &field)
{
    QToolButton *link = iconButton(u"link"_s, tr("Go to the named row"));
    link->setAutoRaise(true);
    link->setAccessibleName(tr("Go to %1").arg(field.title));
    connect(link, &QToolButton::clicked, this, [this, key = field.key] {
        const Line *from = line(key);
        const auto *edit = qobject_cast<const WordEdit *>(from->control);
        if (from->field.kind == Field::Kind::Row)
            emit rowAsked(m_pointer + pointerTo({ key }));
        else if (const auto row = rowNamed(m_document.pack(), from->field.names,
                     edit->wordAt(edit->cursorPosition()), m_row.machine))
            emit rowAsked(*row);
    });
    return link;
}

WordEdit *RowForm::newEdit(const Field &field)
{
    const bool isCondition = field.isCondition && !field.isList;
    auto *edit = new WordEdit(isCondition ? conditionSeparators : u","_s);
    edit->setPlaceholderText(
        isCondition ? tr("some children are …, parent is …, no children") : field.absent);
    const QString key = field.key;
    if (isCondition)
        edit->setCandidates([this] { return conditionNames(m_document.pack()); });
    else if (field.names != Name::None || !field.words.isEmpty())
        edit->setCandidates([this, key] {
            const Line *from = line(key);
            if (!from)
                return QStringList();
            const Field &now = from->field;
            return now.words.isEmpty() ? namesFor(m_document.pack(), now.names, m_row.machine)
                                       : now.words;
        });
    if (field.kind == Field::Kind::Name)
        connect(edit, &QLineEdit::editingFinished, this, [this, key] { writeField(key); });
    else
        connect(edit, &QLineEdit::textEdited, this, [this, key] { writeField(key); });
    return edit;
}

void RowForm::addControl(Line &line)
{
    const Field &field = line.field;
    const QString key = field.key;
    if (field.kind == Field::Kind::Flag) {
        auto *box = new QCheckBox;
        connect(box, &QCheckBox::toggled, this, [this, key] { writeField(key); });
        line.control = box;
        line.typed = [box] { return box->isChecked() ? u"true"_s : u"false"_s; };
        line.write = [box](const Field &now) { box->setChecked(now.text == u"true"); };
    } else if (field.kind == Field::Kind::Word) {
        auto *choice = new QComboBox;
        choice->addItems(field.words);
        choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        choice->setFocusPolicy(Qt::StrongFocus); // the wheel scrolls the form
        connect(choice, &QComboBox::activated, this, [this, key] { writeField(key); });
        line.control = choice;
        line.typed = [choice] { return choice->currentText(); };
        line.write = [choice](const Field &now) {
            choice->setCurrentIndex(
                int(now.words.indexOf(now.json.isEmpty() ? now.absent : now.text)));
        };
    } else if (field.kind == Field::Kind::Map) {
        auto *edit = new QPlainTextEdit;
        edit->setTabChangesFocus(true);
        edit->setUndoRedoEnabled(false); // the document has the undo
        edit->setPlaceholderText(field.absent.isEmpty() ? tr("name: value") : field.absent);
        edit->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        connect(edit, &QPlainTextEdit::textChanged, this, [this, key, edit] {
            fitHeight(edit);
            writeField(key);
        });
        fitHeight(edit);
        line.control = edit;
        line.typed = [edit] { return edit->toPlainText(); };
        line.write = [edit](const Field &now) { edit->setPlainText(now.text); };
    } else if (field.kind == Field::Kind::Rows) {
        auto *rows = new QWidget;
        auto *links = linkLabel(rows);
        connect(links, &QLabel::linkActivated, this, &RowForm::rowAsked);
        QToolButton *add = iconButton(u"add"_s, tr("Add a row"));
        add->setAutoRaise(true);
        add->setAccessibleName(tr("Add to %1").arg(field.title));
        connect(add, &QToolButton::clicked, this, [this, key] {
            const Pack &pack = m_document.pack();
            const auto now = withNewRow(pack, listUnder(pack, m_pointer, key));
            if (!now)
                return;
            m_document.edit(tr("Add a row"), now->pack);
            emit rowAsked(now->pointer);
        });
        filled(new QHBoxLayout(rows), { { links, 1 }, { add, 0, Qt::AlignTop } }, gap::small,
            { 0, gap::small, 0, 0 });
        line.control = rows;
        line.rows = links;
    } else {
        WordEdit *edit = newEdit(field);
        line.control = edit;
        line.typed = [edit] { return edit->text(); };
        line.write = [edit](const Field &now) {
            edit->setText(now.text);
            edit->setCursorPosition(0);
        };
    }
}

RowForm::Line *RowForm::line(const QString &key)
{
    const auto found =
        std::ranges::find_if(m_lines, [&](const Line &each) { return each.field.key == key; });
    return found == m_lines.end() ? nullptr : &*found;
}

void RowForm::focusField(const QString &key)
{
    m_refresh.flush();
    const Line *found = line(key);
    if (!found && !m_lines.isEmpty())
        found = &m_lines.first();
    if (!found)
        return;
    found->control->setFocus(Qt::ShortcutFocusReason);
    if (auto *edit = qobject_cast<QLineEdit *>(found->control))
        edit->selectAll();
    m_scroll->ensureWidgetVisible(found->control);
}

void RowForm::focusAt(const QString &pointer)
{
    const bool isInside = pointer.startsWith(m_pointer + u'/');
    focusField(isInside ? keysOf(pointer.sliced(m_pointer.size())).value(0) : QString());
}

void RowForm::fill(Line &line, const Field &field)
{
    const bool isNew = line.field.json != field.json || line.field.text != field.text;
    line.field = field;
    if (line.rows)
        return fillRows(line);
    const Result<QByteArray> typed = typedJson(field, line.typed());
    if (line.link)
        line.link->setVisible(leadsSomewhere(field));
    // Keeps the typed text while it means the document's value, or is invalid.
    if (!typed || *typed != field.json) {
        if (!isNew && !line.error->text().isEmpty())
            return;
        m_isFilling = true;
        line.write(field);
        m_isFilling = false;
    }
    showError(line, {});
}

QString RowForm::linkTo(const QString &pointer) const
{
    const QString title = titleOf(m_document.pack(), pointer);
    return u"<a style=\"text-decoration:none; color:%1\" href=\"%2\">%3</a>"_s.arg(
        theme().accent.name(), pointer.toHtmlEscaped(), title.toHtmlEscaped());
}

/// True if a field names a row of the pack, or contains a row.
bool RowForm::leadsSomewhere(const Field &field) const
{
    if (field.kind == Field::Kind::Row)
        return !field.json.isEmpty();
    const QStringList names = field.text.split(u", "_s, Qt::SkipEmptyParts);
    return std::ranges::any_of(names, [&](const QString &name) {
        return rowNamed(m_document.pack(), field.names, name, m_row.machine).has_value();
    });
}

void RowForm::fillRows(Line &line)
{
    const Pack &pack = m_document.pack();
    const int count = line.field.text.toInt();
    QStringList links = rowsUnder(pack, listUnder(pack, m_pointer, line.field.key), mostLinks);
    const int left = count - int(links.size());
    for (QString &row : links)
        row = linkTo(row);
    if (left > 0)
        links += tr("… and %Ln more", nullptr, left);
    if (!count)
        links += tr("none");
    line.rows->setHtml(links.join(u"<br>"_s));
}

void RowForm::fillUses()
{
    const Pack &pack = m_document.pack();
    const OwnName name = ownNameAt(pack, m_pointer);
    m_uses->setVisible(name.what != Name::None);
    if (name.what == Name::None)
        return;
    QStringList rows;
    for (const QString &mention : mentionsOf(pack, name))
        rows += pointerOf(pack, numberAt(pack, mention)).value_or(QString());
    rows.removeDuplicates();
    //: how many rows of the pack name this one
    QStringList lines { u"<b>"_s
        + (rows.isEmpty() ? tr("No row uses this one")
                          : tr("Used by %Ln row(s)", nullptr, int(rows.size())))
              .toHtmlEscaped()
        + u"</b>"_s };
    for (const QString &row : rows.mid(0, mostLinks)) {
        const QString kind = outlineOf(pack, row).kindName;
        lines += u"%1 <span style=\"color:%2\">%3</span>"_s.arg(
            linkTo(row), theme().dimText.name(), kind.toHtmlEscaped());
    }
    if (rows.size() > mostLinks)
        lines += tr("… and %Ln more", nullptr, int(rows.size() - mostLinks)).toHtmlEscaped();
    m_uses->setHtml(lines.join(u"<br>"_s));
}

void RowForm::showError(Line &line, const QString &problem)
{
    line.error->setText(problem);
    line.error->setVisible(!problem.isEmpty());
    line.control->setAccessibleDescription(problem.isEmpty() ? line.field.help : problem);
}

void RowForm::writeField(const QString &key)
{
    Line *from = line(key);
    if (m_isFilling || !from)
        return;
    const Result<QByteArray> json = typedJson(from->field, from->typed());
    if (!json)
        return showError(*from, json.error());
    const Result<Pack> now = withField(m_document.pack(), m_pointer, key, *json);
    if (!now)
        return showError(*from, now.error());
    showError(*from, {});
    const bool isName = from->field.kind == Field::Kind::Name;
    const QString what = isName ? tr("Rename %1").arg(from->field.text)
                                : tr("Change %1").arg(from->field.title.toLower());
    m_document.edit(what, *now,
        isName ? QString() : u"field:%1:%2:%3"_s.arg(m_number).arg(m_pointerBelowRow, key));
}

int RowForm::mostHelpHeight() const
{
    return helpLines * m_help->fontMetrics().lineSpacing();
}

void RowForm::showHelp(const QString &text)
{
    m_help->setText(text);
    fitHelp();
}

/// Makes the help as high as its text, up to a limit; a longer one scrolls.
void RowForm::fitHelp()
{
    const QMargins margins = layout()->contentsMargins();
    const int room = width() - margins.left() - margins.right();
    const int height = m_help->text().isEmpty() ? 0 : m_help->heightForWidth(room);
    m_helpArea->setFixedHeight(std::min(height, mostHelpHeight()));
}

void RowForm::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fitHelp();
}

bool RowForm::eventFilter(QObject *watched, QEvent *event)
{
    const QEvent::Type type = event->type();
    if (type == QEvent::ShortcutOverride && isUndoKey(*static_cast<QKeyEvent *>(event))) {
        event->ignore(); // leaves undo to the document
        return true;
    }
    const bool isFocusIn = type == QEvent::FocusIn, isFocus = isFocusIn || type == QEvent::FocusOut;
    const Qt::FocusReason reason =
        isFocus ? static_cast<QFocusEvent *>(event)->reason() : Qt::NoFocusReason;
    if (!m_isFilling && isFocus && reason != Qt::PopupFocusReason) {
        for (const Line &line : std::as_const(m_lines)) {
            if (line.control == watched)
                showHelp(isFocusIn ? line.field.help : QString());
        }
        if (!isFocusIn)
            m_document.endMerging();
    }
    // Scrolls if the help covers its field; under the mouse, a field stays until the release.
    const bool isReached = type == QEvent::MouseButtonRelease
        || (isFocusIn && (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason));
    if (auto *control = qobject_cast<QWidget *>(watched); control && isReached)
        QTimer::singleShot(0, control, [this, control] {
            if (m_scroll->isAncestorOf(control))
                m_scroll->ensureWidgetVisible(control, 0, 0);
        });
    return QWidget::eventFilter(watched, event);
}

} // namespace instar
