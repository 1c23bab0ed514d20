import { zodResolver } from '@hookform/resolvers/zod';
import { t } from '@lingui/core/macro';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { ApiError, errorMessage } from '../../platform/api/errors';
import { Alert } from '../../ui/Alert';
import { Page, PageHeader } from '../../ui/Page';
import { TextField } from '../../ui/TextField';
import { eventDateRange, eventFields } from '../shared/events/editing/eventFields';
import { eventScreenAddress } from '../shared/events/eventScreens';
import { eventsKey } from '../shared/events/events';
import { KeepChoice, useKeeping } from '../shared/events/editing/keeping';
import { confirmAndSelectEvent } from '../../platform/session/selection';
import { createEvent } from './events';
import { EventCreated } from './EventCreated';

const eventSchema = z.object(eventFields());

/** Without an answer the event may be there, and another try would make a second one. */
const creationError = (error: Error): string =>
  error instanceof ApiError && error.status === 0
    ? t`It may have been created: look at your events before you try again.`
    : errorMessage(error, t`Failed to create event`);

/** A payment made before the event is created. */
export interface EventPayment {
  /** Rupees. */
  amount: number;
  couponCode?: string | undefined;
}

/** Create New Event. `renderUpgrade` renders the premium upgrade, which calls `onPaid`. */
export function EventRegistrationPage({
  renderUpgrade,
}: {
  renderUpgrade: (onPaid: (payment: EventPayment) => void) => ReactNode;
}) {
  const client = useQueryClient();
  const [payment, setPayment] = useState<EventPayment>();
  const keeping = useKeeping();
  const [keepDays, setKeepDays] = useState<number>();
  const form = useForm({ resolver: zodResolver(eventSchema), defaultValues: { name: '', date: '' } });
  const { errors } = form.formState;
  const creation = useMutation({
    mutationFn: createEvent,
    onSuccess: (event) => void confirmAndSelectEvent(event, eventScreenAddress('/admin/gallery', event.id)),
    // An event whose answer was lost may be there.
    onSettled: () => void client.invalidateQueries({ queryKey: eventsKey }),
  });

  if (creation.isSuccess) return <EventCreated event={creation.data} />;
  return (
    <Page width={720}>
      <PageHeader title={t`Create New Event`} subtitle={t`Name it, date it, share its link.`}>
        {renderUpgrade(setPayment)}
      </PageHeader>
      <Card>
        <Box
          component="form"
          noValidate
          onSubmit={(submission) =>
            void form.handleSubmit(({ name, date }) =>
              creation.mutate({
                name,
                date,
                // What counts here anyway is the operator's to change.
                ...(keepDays !== undefined && keepDays !== keeping.ownDays && { keep_days: keepDays }),
                ...(payment !== undefined && { payment_amount: payment.amount }),
                ...(payment?.couponCode !== undefined && { coupon_code: payment.couponCode }),
              }),
            )(submission)
          }
          sx={{ display: 'grid', gap: 5, p: { xs: 4, sm: 7 } }}
        >
          {payment !== undefined && (
            <Alert tone="success">{t`Premium is yours. Now create the event.`}</Alert>
          )}
          {creation.isError && <Alert tone="error">{creationError(creation.error)}</Alert>}
          <TextField
            label={t`Event name`}
            placeholder={t`Aanya & Rohan, Sangeet`}
            required
            error={errors.name?.message}
            {...form.register('name')}
          />
          <TextField
            label={t`Event date`}
            type="date"
            required
            slotProps={{ input: eventDateRange() }}
            error={errors.date?.message}
            {...form.register('date')}
          />
          {(keeping.isPending || keeping.options.length > 1) && (
            <KeepChoice
              value={keepDays ?? keeping.ownDays}
              options={keeping.options}
              onChange={setKeepDays}
              help={t`Counted from the event’s date or its last upload, whichever is later. A mail warns you a week before.`}
            />
          )}
          <Button
            type="submit"
            variant="contained"
            color="primary"
            size="large"
            loading={creation.isPending}
            sx={{ justifySelf: { sm: 'start' } }}
          >
            {t`Create event`}
          </Button>
        </Box>
      </Card>
    </Page>
  );
}
