// SPDX-License-Identifier: Apache-2.0
#include "views/panels/targetpicker.h"

#include "views/icons.h"
#include "views/look.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QStyleOptionFrame>
#include <QStylePainter>
#include <QToolButton>

namespace instar {

namespace {

/// Returns the types directly below a type; without `typePath`, the top-level types.
QStringList segmentsBelow(const Pack &pack, const QString &typePath)
{
    QStringList segments;
    for (const Type &type : pack.types) {
        const qsizetype slash = type.path.lastIndexOf(u'/');
        const QStringView above = slash < 0 ? QStringView() : QStringView(type.path).left(slash);
        if (type.path != u"*" && above.compare(typePath, pack.caseSensitivity()) == 0)
            segments += type.path.sliced(slash + 1);
    }
    return segments;
}

/// Line edit that elides its text in the middle while it has no focus.
class PathEdit : public QLineEdit
{
protected:
    void paintEvent(QPaintEvent *event) override
    {
        QStyleOptionFrame option;
        initStyleOption(&option);
        const QMargins margins = textMargins();
        const QRect room = style()
                               ->subElementRect(QStyle::SE_LineEditContents, &option, this)
                               .adjusted(margins.left(), 0, -margins.right(), 0);
        const QString shown = fontMetrics().elidedText(text(), Qt::ElideMiddle, room.width());
        if (hasFocus() || shown == text())
            return QLineEdit::paintEvent(event);
        QStylePainter painter(this);
        painter.drawPrimitive(QStyle::PE_PanelLineEdit, option);
        painter.drawItemText(room, Qt::AlignVCenter, palette(), isEnabled(), shown, QPalette::Text);
    }
};

} // namespace

TargetPicker::TargetPicker(const Controller &controller, QWidget *parent)
    : QWidget(parent),
      m_controller(controller),
      m_newToggle(new QToolButton),
      m_pages(new QStackedWidget),
      m_path(new PathEdit),
      m_parent(new PathEdit),
      m_name(new QLineEdit),
      m_type(new QComboBox)
{
    m_newToggle->setCheckable(true);
    m_newToggle->setIcon(icon(u"add"_s));
    m_newToggle->setText(tr("New"));
    m_newToggle->setToolTip(tr("Describe a new resource by its parent, type and name"));
    m_newToggle->setAccessibleName(tr("New resource"));
    m_newToggle->setFocusPolicy(Qt::StrongFocus);

    m_path->setPlaceholderText(tr("Path of the resource, or select one in the tree"));
    m_path->setAccessibleName(tr("Target"));
    m_path->setMinimumWidth(110);
    for (QLineEdit *line : { m_path, m_parent })
        line->setAcceptDrops(false); // the window opens a file that is dropped
    m_parent->setPlaceholderText(tr("none: top level"));
    m_parent->setToolTip(tr("Path of the parent; leave empty for a resource at the top level"));
    m_parent->setAccessibleName(tr("Parent of the new resource"));
    m_parent->setMinimumWidth(60);
    m_type->setToolTip(tr("Type of the new resource"));
    m_type->setAccessibleName(tr("Type of the new resource"));
    m_type->setMinimumContentsLength(8);
    m_type->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_name->setToolTip(tr("Name of the new resource"));
    m_name->setAccessibleName(tr("Name of the new resource"));
    m_name->setMinimumWidth(60);
    m_name->setMaxLength(256);

    m_pages->addWidget(m_path);
    m_pages->addWidget(boxed(filled(new QHBoxLayout,
        { { m_parent, 4 }, new QLabel(u"/"_s), { m_type, 3 }, new QLabel(u"/"_s),
            { m_name, 2 } })));
    m_pages->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);

    filled(new QHBoxLayout(this), { { m_pages, 1 }, m_newToggle });

    connect(m_newToggle, &QToolButton::clicked, this, [this](bool on) {
        if (on)
            describeNew(m_controller.world().tree.find(m_path->text()) == NoResource
                    ? QString()
                    : m_path->text());
        else
            showExisting(m_path->text());
    });
    connect(m_path, &QLineEdit::textEdited, this, &TargetPicker::changed);
    connect(m_path, &QLineEdit::textChanged, m_path, &QWidget::setToolTip);
    connect(m_path, &QLineEdit::editingFinished, this,
        [this] { emit pathEdited(m_path->text().trimmed()); });
    connect(m_parent, &QLineEdit::textChanged, this, [this] {
        fillTypes();
        emit changed();
    });
    connect(m_type, &QComboBox::currentTextChanged, this, [this] {
        if (m_isNameSuggested)
            m_name->setText(freeName());
        emit changed();
    });
    connect(m_name, &QLineEdit::textEdited, this, [this](const QString &name) {
        m_isNameSuggested = name.isEmpty();
        emit changed();
    });
    connect(m_name, &QLineEdit::returnPressed, this, &TargetPicker::nameEntered);
    fillTypes();
}

bool TargetPicker::isNew() const
{
    return m_newToggle->isChecked();
}

QString TargetPicker::path() const
{
    if (!isNew())
        return m_path->text().trimmed();
    return u"%1/%2/%3"_s.arg(m_parent->text().trimmed(), m_type->currentText(), m_name->text());
}

void TargetPicker::setPath(const QString &path)
{
    m_path->setText(path);
    m_path->setCursorPosition(0);
    if (isNew() && m_controller.world().tree.find(path) != NoResource)
        m_parent->setText(path);
    emit changed();
}

void TargetPicker::describeNew(const QString &parentPath)
{
    m_newToggle->setChecked(true);
    // Below a resource that cannot have children, describes a sibling.
    QString above = parentPath;
    if (!above.isEmpty() && segmentsBelow(m_controller.rules().pack(), typePathOf(above)).isEmpty())
        above = above.section(u'/', 0, -3);
    m_isNameSuggested = true;
    m_parent->setText(above);
    fillTypes();
    m_pages->setCurrentIndex(1);
    m_name->setFocus();
    m_name->selectAll();
    emit changed();
}

void TargetPicker::showExisting(const QString &path)
{
    m_newToggle->setChecked(false);
    m_pages->setCurrentIndex(0);
    setPath(path);
}

void TargetPicker::fillTypes()
{
    const Pack &pack = m_controller.rules().pack();
    const QString typePath = typePathOf(m_parent->text());
    QStringList segments = segmentsBelow(pack, typePath);
    const bool open =
        m_controller.rules().machineForType(typePath + u"/*"_s) != Rules::None && pack.type(u"*"_s);
    const QString before = m_type->currentText();
    {
        const QSignalBlocker silence(m_type);
        m_type->clear();
        m_type->addItems(segments);
        // If the pack accepts any type, the user may type one.
        m_type->setEditable(open);
        if (segments.contains(before))
            m_type->setCurrentText(before);
    }
    if (m_isNameSuggested)
        m_name->setText(freeName());
}

QString TargetPicker::freeName() const
{
    const Pack &pack = m_controller.rules().pack();
    const QString typePath = typePathOf(m_parent->text());
    const QString fullType =
        typePath.isEmpty() ? m_type->currentText() : typePath + u'/' + m_type->currentText();
    const Type *type = pack.type(fullType);
    const QString above = u"%1/%2/"_s.arg(m_parent->text().trimmed(), m_type->currentText());
    const Tree &tree = m_controller.world().tree;
    QStringList names = type ? type->names : QStringList();
    for (const QString &name : std::as_const(names)) {
        if (tree.find(above + name) == NoResource)
            return name;
    }
    if (!names.isEmpty())
        return names.first();
    for (int n = 1;; ++n) {
        const QString name = u"new-%1"_s.arg(n);
        if (tree.find(above + name) == NoResource)
            return name;
    }
}

} // namespace instar
