// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/engine/simulator.h"
#include "model/json/library.h"
#include "views/diagram/statechartview.h"

#include <QTest>

#include <memory>

namespace instar::scene {

inline const QString network = QStringLiteral("/logicalNetworks/n");
inline const QString subnet = QStringLiteral("/logicalNetworks/n/subnets/s");
inline const QString other = QStringLiteral("/logicalNetworks/n/subnets/t");

/// A network with two subnets, seen through the view of one of them.
struct Scene
{
    std::unique_ptr<Simulator> simulator;
    Selection selection;
    std::unique_ptr<StatechartView> view;

    explicit Scene(const QString &selected = subnet)
    {
        const auto rested = [](const QString &path) { return ResourceSpec { path, {}, {}, {} }; };
        show(*loadPack(QStringLiteral("network-controller")),
            { rested(network), rested(subnet), rested(other) }, selected);
    }

    /// What a small pack comes with.
    explicit Scene(const Pack &pack) { show(pack, pack.sample, pack.sample.first().path); }

    void show(const Pack &pack, const QList<ResourceSpec> &resources, const QString &selected)
    {
        const Result<Rules> rules = Rules::make(pack);
        Loaded loaded = makeWorld(*rules, resources);
        view.reset();
        simulator = std::make_unique<Simulator>(*rules, loaded.world);
        view = std::make_unique<StatechartView>(*simulator, selection);
        view->resize(1000, 620);
        selection.choose(selected);
        view->show();
        QTest::qWait(1); // lays out, and comes to rest
    }

    quint32 ask(const QString &op, const QString &path, bool hang = true)
    {
        Request request;
        request.op = op;
        request.path = path;
        request.hang = hang;
        const quint32 serial = simulator->submit(request);
        simulator->updates().flush();
        return serial;
    }

    ChartElement state(const QString &name) const
    {
        return { ChartElement::Kind::State, view->layout().boxOf(id(name)), 0 };
    }
    Rules::StateId id(const QString &name) const { return simulator->rules().stateNamed(0, name); }

    /// By its name without what it adds about the moment.
    ChartElement line(const QString &name) const
    {
        for (const ChartElement &element : view->parts()) {
            if (elementName(view->layout(), element) == name)
                return element;
        }
        qFatal("no such transition: %s", qPrintable(name));
    }
    QPoint onScreen(const ChartElement &element) const
    {
        return view->mapFromScene(elementRect(view->layout(), element).center());
    }
    void click(const ChartElement &element) const
    {
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, onScreen(element));
    }
    /// What may happen now, by name, sorted.
    QString lit() const
    {
        QStringList names;
        for (const ChartElement &element : view->parts()) {
            if (view->meaningOf(element).isOpen())
                names += elementName(view->layout(), element);
        }
        names.sort();
        return names.join(u"; ");
    }
    QPointF token(const QString &name) const
    {
        return tokenCentre(view->layout().boxes[state(name).index], *view->looks().fonts);
    }
    const BoxLook &look(const QString &state) const
    {
        return view->looks().boxes[view->layout().boxOf(id(state))];
    }
    QPointF tokenNow() const { return *view->looks().token; }
    void rest() const { QTRY_VERIFY(!view->isTravelling()); }
};

} // namespace instar::scene
