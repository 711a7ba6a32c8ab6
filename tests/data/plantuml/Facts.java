// SPDX-License-Identifier: Apache-2.0
// Prints what PlantUML has understood of diagrams: X.puml -> X.expected. See README.md.

import java.nio.file.*;
import java.util.*;
import net.sourceforge.plantuml.*;
import net.sourceforge.plantuml.core.Diagram;
import net.sourceforge.plantuml.cucadiagram.*;
import net.sourceforge.plantuml.error.PSystemError;
import net.sourceforge.plantuml.preproc.Defines;
import net.sourceforge.plantuml.statediagram.StateDiagram;

public class Facts {
    private final Map<String, String> paths = new HashMap<>();
    private final List<String> lines = new ArrayList<>();

    public static void main(String[] files) throws Exception {
        for (String file : files) {
            String source = Files.readString(Paths.get(file));
            SourceStringReader reader = new SourceStringReader(Defines.createEmpty(), source, Collections.emptyList());
            StringBuilder facts = new StringBuilder();
            for (BlockUml block : reader.getBlocks())
                facts.append("diagram\n").append(of(block.getDiagram()));
            Files.writeString(Paths.get(file.replace(".puml", ".expected")), facts);
        }
    }

    private static String of(Diagram diagram) {
        if (diagram instanceof StateDiagram)
            return new Facts().of((StateDiagram) diagram);
        StringBuilder errors = new StringBuilder("refused\n");
        if (diagram instanceof PSystemError)
            for (ErrorUml error : ((PSystemError) diagram).getErrorsUml())
                errors.append("line " + (error.getPosition() + 1) + ": " + error.getError() + "\n");
        return errors.toString();
    }

    private String of(StateDiagram diagram) {
        if (diagram.checkFinalError() != null)
            return "refused\n" + diagram.checkFinalError() + "\n";
        addInside(diagram.getRootGroup(), "", true);
        List<String> arrows = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Link link : diagram.getLinks())
            if (!link.isInvis() && !link.isHidden())
                addLink(link, arrows, notes);
        Collections.sort(lines);
        Collections.sort(notes);
        lines.addAll(arrows);
        lines.addAll(notes);
        return String.join("\n", lines) + "\n";
    }

    private void addLink(Link link, List<String> arrows, List<String> notes) {
        IEntity from = link.isInverted() ? link.getEntity2() : link.getEntity1();
        IEntity to = link.isInverted() ? link.getEntity1() : link.getEntity2();
        if (isNote(from) || isNote(to)) {
            IEntity note = isNote(from) ? from : to;
            notes.add("note of " + path(isNote(from) ? to : from) + " : " + text(note.getDisplay()));
            return;
        }
        String label = text(link.getLabel());
        String note = text(link.getNote());
        arrows.add("arrow " + path(from) + " -> " + path(to) + (label.isEmpty() ? "" : " : " + label)
                + (note.isEmpty() ? "" : " (" + note + ")"));
    }

    /** What lies before the first separator of the diagram itself is a region here, as elsewhere. */
    private void addInside(IGroup group, String before, boolean isDiagram) {
        List<IEntity> groups = new ArrayList<>(group.getChildren());
        groups.sort((a, b) -> isRegion(a) && isRegion(b) ? Integer.compare(number(a), number(b)) : 0);
        boolean isDivided = isDiagram && groups.stream().anyMatch(Facts::isRegion);
        String own = isDivided ? before + "region1/" : before;
        int regions = isDivided ? 1 : 0;
        if (isDivided)
            lines.add("region " + before + "region1");
        for (ILeaf leaf : group.getLeafsDirect())
            if (!isNote(leaf))
                add(leaf, own);
        for (IEntity each : groups) {
            if (!isRegion(each)) {
                add(each, own);
                continue;
            }
            String path = before + "region" + ++regions;
            lines.add("region " + path);
            addInside((IGroup) each, path + "/", false);
        }
    }

    private void add(IEntity entity, String before) {
        String name = entity.getCode().getName();
        boolean isDot = name.startsWith("*");
        String kind = kind(entity);
        if (isDot)
            name = kind.equals("history") ? "[H]" : kind.equals("final") ? "[*]end" : "[*]";
        paths.put(entity.getUid(), before + name);
        String line = kind + " " + before + name;
        if (!isDot && !text(entity.getDisplay()).equals(name))
            line += " | " + text(entity.getDisplay());
        if (!isDot && entity.getBodier() != null)
            for (Object each : entity.getBodier().getRawBody())
                line += " || " + text(Display.getWithNewlines(each.toString())).replace(" ~ ", " || ");
        lines.add(line.trim());
        if (entity.isGroup())
            addInside((IGroup) entity, before + name + "/", false);
    }

    private static String kind(IEntity entity) {
        if (entity.isGroup())
            return ((IGroup) entity).size() + ((IGroup) entity).getChildren().size() > 0 ? "composite" : "state";
        switch (entity.getLeafType().toString()) {
        case "STATE":
            return "state";
        case "STATE_CHOICE":
            return "choice";
        case "STATE_FORK_JOIN":
        case "SYNCHRO_BAR":
            return "bar";
        case "CIRCLE_START":
            return "initial";
        case "CIRCLE_END":
            return "final";
        case "PSEUDO_STATE":
            return "history";
        default:
            return entity.getLeafType().toString();
        }
    }

    private String path(IEntity entity) {
        return paths.get(entity.getUid());
    }

    private static boolean isNote(IEntity entity) {
        return !entity.isGroup() && entity.getLeafType() == LeafType.NOTE;
    }

    private static boolean isRegion(IEntity entity) {
        return entity.isGroup() && ((IGroup) entity).getGroupType() == GroupType.CONCURRENT_STATE;
    }

    private static int number(IEntity region) {
        return Integer.parseInt(region.getCode().getName().replaceAll("[^0-9]", ""));
    }

    private static String text(Display display) {
        if (display == null || Display.isNull(display))
            return "";
        StringJoiner lines = new StringJoiner(" ~ ");
        for (CharSequence line : display)
            lines.add(line);
        return lines.toString();
    }
}
