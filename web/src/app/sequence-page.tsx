import { onDemand } from '../components/on-demand.tsx';
import { SequenceDetails } from '../features/automation/sequence/sequence-page.tsx';

const WriteEmailDialog = onDemand(() => import('../features/content/write-email-dialog.tsx'));

/** Combines the page of a sequence with the dialog that writes emails: two features that do not import each other. */
export const SequencePage = () => <SequenceDetails Writer={WriteEmailDialog} />;
