import type { PersonExportPage } from '#shared/export.ts';
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx';
import { invalidateAfter, useOrganizationCall } from '#web/lib/data.ts';
import { plural } from '#web/lib/format.ts';
import { useOrganization } from '#web/lib/organization.ts';
import { toast } from '#web/lib/toasts.ts';

const ERASE = 'POST /api/recipients/erase';

type Props = {
  person: Pick<PersonExportPage, 'email' | 'memberships'>;
  onErased?: () => unknown;
  onClose: () => void;
};

/** Erases a person from the organization, after the user has typed their address. */
export default function ErasePerson({ person: { email, memberships }, onErased, onClose }: Props) {
  const call = useOrganizationCall();
  const organization = useOrganization();

  async function erase() {
    const body = { email, confirmation: email };
    // One request may not have time for everything.
    for (let isComplete = false; !isComplete; ) isComplete = (await call(ERASE, { body })).complete;
    toast(`${email} was erased.`);
    await onErased?.();
    void invalidateAfter(ERASE, organization?.id);
  }

  return (
    <ConfirmDialog
      title="Erase this person?"
      confirm="Erase person"
      loadingText="Erasing..."
      failure="Failed to erase this person. Please try again"
      typed={email}
      onConfirm={erase}
      onClose={onClose}
    >
      Everything stored about {email} in {organization?.name} is deleted: {listsText(memberships)}, what their
      emails said and which links they followed. Reports keep their numbers, without a name. This cannot be
      undone.
    </ConfirmDialog>
  );
}

const MOST_NAMED = 3;

function listsText(memberships: Props['person']['memberships']): string {
  if (memberships.length === 0) return 'their address (they are on no list)';
  const names = memberships.slice(0, MOST_NAMED).flatMap(({ list_name }) => list_name ?? []);
  const more = memberships.length > names.length ? ' and others' : '';
  return `their address, their metadata in ${plural(memberships.length, 'list')} (${names.join(', ')}${more})`;
}
