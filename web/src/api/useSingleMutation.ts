// A call that changes something, made once however often it is asked for.
import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";

/**
 * `useMutation`, whose `mutate` does nothing while a call is under way: the state that shows it comes a render later than a
 * second press.
 */
export function useSingleMutation<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
) {
  const isUnderWay = useRef(false);
  const mutation = useMutation(options);
  return {
    ...mutation,
    mutate(variables: Variables): void {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      const settle = () => {
        isUnderWay.current = false;
      };
      // Its own promise, which also settles where `reset` has left nobody to be called back. What failed, the state says.
      void mutation.mutateAsync(variables).then(settle, settle);
    },
  };
}
