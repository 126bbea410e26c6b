import type { UnsubscribeWebhook } from '#shared/unsubscribe-webhook.ts';
import { DeleteEntity } from '#web/entities/delete-entity.tsx';
import { webhookOf } from '#web/entities/webhook/webhook.ts';

type Props = { list: string; webhook: UnsubscribeWebhook; onClose: () => void };

const DeleteWebhook = ({ list, webhook, onClose }: Props) => (
  <DeleteEntity
    entity={webhookOf(list)}
    item={webhook}
    confirm="Delete webhook"
    failure="Failed to delete webhook"
    onClose={onClose}
  >
    Its endpoint is told nothing more, and what waits to be delivered is dropped. Its secret, its headers and
    its deliveries are gone. This cannot be undone.
  </DeleteEntity>
);
export default DeleteWebhook;
