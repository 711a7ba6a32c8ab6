// SPDX-License-Identifier: Apache-2.0
#include "views/panels/docktitle.h"

#include "views/icons.h"
#include "views/look.h"
#include "views/panels/elidedlabel.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace instar {

DockTitle::DockTitle(QDockWidget &dock) : QWidget(&dock)
{
    auto *name = new ElidedLabel;
    name->setObjectName(u"dockTitle"_s);
    auto *layout = filled(new QHBoxLayout(this), { { name, 1 } }, 0,
        { gap::normal, gap::small / 2, gap::small, gap::small / 2 });
    const auto add = [layout](const QString &picture) {
        auto *button = new QToolButton;
        button->setIcon(icon(picture));
        button->setIconSize(QSize(14, 14));
        button->setFocusPolicy(Qt::TabFocus);
        layout->addWidget(button);
        return button;
    };
    QToolButton *apart = add(u"apart"_s), *close = add(u"close"_s);
    connect(apart, &QToolButton::clicked, &dock, [&dock] { dock.setFloating(!dock.isFloating()); });
    connect(close, &QToolButton::clicked, &dock, &QDockWidget::close);
    const auto tell = [name, apart, close, &dock] {
        const QString title = dock.windowTitle();
        name->setText(title);
        apart->setToolTip(dock.isFloating() ? tr("Put %1 back into the window").arg(title)
                                            : tr("Show %1 in a window of its own").arg(title));
        close->setToolTip(tr("Close %1; the View menu shows it again").arg(title));
        for (QToolButton *button : { apart, close })
            button->setAccessibleName(button->toolTip());
    };
    connect(&dock, &QDockWidget::windowTitleChanged, this, tell);
    connect(&dock, &QDockWidget::topLevelChanged, this, tell);
    tell();
}

} // namespace instar
