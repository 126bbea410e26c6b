import { Stack } from 'aws-cdk-lib';
import { CnameRecord } from 'aws-cdk-lib/aws-route53';
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses';
import type { Construct } from 'constructs';
import { mailAlarms } from '../alarms.ts';
import { alarmed } from '../constructs/alarmed.ts';
import { type Domain, HOME_REGION, type Mail, type Stage } from '../stages.ts';
import { zoneOf } from '../zone.ts';

type Props = { stage: Stage; mail: Mail; domain: Domain | undefined };

/** The identity that sends the product's own emails. Other stacks use its name, so none of them refers to this stack. */
export class MailStack extends Stack {
  constructor(scope: Construct, id: string, { stage, mail, domain }: Props) {
    super(scope, id, { env: { region: HOME_REGION } });
    alarmed(this, stage, mailAlarms());
    if (stage.identityExists) return;
    if (mail.identity === domain?.name) this.identifyDomain(domain);
    // SES sends a link to this address, and its owner must follow it before the product can send.
    else new EmailIdentity(this, 'Mail', { identity: Identity.email(mail.identity) });
  }

  private identifyDomain(domain: Domain): void {
    const identity = new EmailIdentity(this, 'Mail', { identity: Identity.domain(domain.name) });
    const zone = zoneOf(this, domain);
    identity.dkimRecords.forEach(({ name, value }, index) => {
      new CnameRecord(this, `Dkim${index + 1}`, { zone, recordName: `${name}.`, domainName: value });
    });
  }
}
