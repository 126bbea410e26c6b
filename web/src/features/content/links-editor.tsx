import { useEffect, useState } from 'react';
import { type AutomationOption, MOST_LINKED } from '#shared/automation-link.ts';
import { DraftActions } from '#web/components/actions.tsx';
import type { AutomationsRoute } from '#web/lib/automation-choice.ts';
import { useOrganizationData } from '#web/lib/data.ts';
import { registerUnsavedCheck } from '#web/lib/unsaved.ts';
import { useAction } from '#web/lib/use-action.ts';
import { AutomationPicker } from './automation-picker.tsx';

export type LinksEditorProps = {
  title: string;
  automations: readonly AutomationOption[];
  route: AutomationsRoute;
  saveText?: string;
  save: (ids: string[]) => Promise<unknown>;
  /** The message of a failed save if the server gave no reason. */
  failure: string;
  onClose: () => void;
};

export default function LinksEditor(props: LinksEditorProps) {
  const { title, automations, route, save, saveText, failure, onClose } = props;
  const { data: options } = useOrganizationData(route);
  const linked = automations.map(({ id }) => id);
  const [draft, setDraft] = useState(linked);
  const { run, isRunning, error } = useAction(() => save(draft), { failure });
  const isChanged = draft.length !== linked.length || draft.some(id => !linked.includes(id));
  useEffect(() => registerUnsavedCheck(() => isChanged), [isChanged]);

  return (
    <>
      <AutomationPicker
        label={title}
        hasHeading
        route={route}
        value={draft}
        onChange={setDraft}
        disabled={isRunning}
      />
      <DraftActions
        error={error}
        isRunning={isRunning}
        disabled={!options || draft.length > MOST_LINKED}
        saveText={saveText}
        save={run}
        onClose={onClose}
      />
    </>
  );
}
